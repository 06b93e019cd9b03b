#include "postgres.h"

#include <stdlib.h>
#include <string.h>

void put_bytes(struct buffer *buffer, const void *bytes, size_t count) {
    if (buffer->count + count > buffer->capacity) {
        buffer->capacity = 2 * (buffer->count + count);
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
        if (!buffer->bytes) fail("no memory for %zu bytes", buffer->capacity);
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

void put_32(struct buffer *buffer, uint32_t value) {
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    put_bytes(buffer, bytes, sizeof bytes);
}

void put_64(struct buffer *buffer, uint64_t value) {
    put_32(buffer, (uint32_t)(value >> 32));
    put_32(buffer, (uint32_t)value);
}

void put_field(struct buffer *buffer, const void *bytes, size_t count) {
    put_32(buffer, (uint32_t)count);
    put_bytes(buffer, bytes, count);
}
