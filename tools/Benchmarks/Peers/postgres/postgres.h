// PostgreSQL with synchronous_commit=on, each writer with a connection (and so a server process) of its own.
#pragma once

#include "../common/common.h"

#include <libpq-fe.h>
#include <stddef.h>

PGconn *open_connection(const char *place);
void make_table(PGconn *);
void run(PGconn *, const char *sql);

// A buffer for PostgreSQL's binary formats: numbers in network byte order, and bytes after their length.
struct buffer {
    uint8_t *bytes;
    size_t count, capacity;
};
void put_bytes(struct buffer *, const void *bytes, size_t count);
void put_32(struct buffer *, uint32_t);
void put_64(struct buffer *, uint64_t);
void put_field(struct buffer *, const void *bytes, size_t count);

struct result append(const struct options *);
struct result fill(const struct options *);
struct result scan(const struct options *);
