// The same events for all peers: 300 incompressible bytes, in a stream chosen at random from 10,000.
#include "common.h"

const char EVENT_TYPE[] = "weight.recorded";
uint8_t event_data[EVENT_BYTES];
static struct stream streams[STREAMS];

// xorshift64: a few instructions, so that random numbers cost every peer the same negligible time.
uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void store_big_endian(uint8_t *to, uint64_t value) {
    for (int i = 7; i >= 0; i--, value >>= 8) to[i] = (uint8_t)value;
}

void make_events(void) {
    uint64_t state = 42;
    for (int i = 0; i < EVENT_BYTES; i++) event_data[i] = (uint8_t)(next_random(&state) >> 32);
    for (int i = 0; i < STREAMS; i++) {
        store_big_endian(streams[i].id, next_random(&state));
        store_big_endian(streams[i].id + 8, next_random(&state));
    }
}

struct stream *random_stream(uint64_t *state) {
    return &streams[next_random(state) % STREAMS];
}
