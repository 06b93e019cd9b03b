#pragma once
#include <stddef.h>

// The content of a file that the programs contain: `count` bytes, without a terminating zero.
typedef struct {
    const unsigned char *bytes;
    size_t count;
} EmbeddedFile;

// Returns the file with this name; `bytes` is NULL if there is none. The bytes are never freed.
EmbeddedFile embedded_file(const char *name);
