// Shared by all peers: the events that they store, the options that they take, the loop in which they append, and the
// line of JSON that each run prints.
#pragma once

#include <stdatomic.h>
#include <stdint.h>
#include <stdnoreturn.h>

enum { EVENT_BYTES = 300, STREAMS = 10000, ID_BYTES = 16 };

// PROGRAM WORK PLACE [--writers N] [--batch N] [--seconds S] [--events N] [--variant NAME]
struct options {
    const char *work;
    const char *place;    // the location of the system: a folder, a socket or a connection string
    const char *variant;  // which of two alternatives of a system to use; "" if not given
    long writers, batch, events;
    double seconds;
};
struct options read_options(int count, char **arguments);

noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
double now(void);  // seconds on a monotonic clock
uint64_t next_random(uint64_t *state);
void make_folder(const char *path);
long long bytes_below(const char *folder);  // disk space allocated by all files below
void store_big_endian(uint8_t *to, uint64_t value);

// A stream's events are numbered from 1. Several writers may choose the same stream, so the number is taken atomically.
struct stream {
    uint8_t id[ID_BYTES];
    _Atomic int64_t version;
};
struct stream *random_stream(uint64_t *state);

extern const char EVENT_TYPE[];
extern uint8_t event_data[EVENT_BYTES];
void make_events(void);

struct result {
    long events;
    double seconds;
    double p50, p99;  // seconds from a batch's start until it is durable; 0 if there were no batches
    long long bytes;  // on the disk; 0 if not measured
};
void print_result(const char *system, const struct options *, struct result, const char *note);

// One of several writers, each with its own thread and connection.
struct writer {
    const struct options *options;
    uint64_t random;
    void *connection;
};
struct appender {
    void *(*connect)(const struct options *);
    void (*append)(struct writer *);  // appends one batch, and returns when it is durable
    void (*disconnect)(void *connection);
};
// Each writer repeatedly appends a batch and waits for it, for `seconds` or, if `events` is given, for so many events.
struct result run_writers(const struct options *, const struct appender *);

// Group commit, for systems with only one writer at a time: all waiting batches are committed in one transaction.
struct request {
    struct request *next;
    struct writer *writer;
    void *woken;
};
struct result run_grouped(const struct options *, void (*commit)(const struct request *group));
