// LMDB used directly from C: the upper limit for any journal over LMDB.
#pragma once

#include "../common/common.h"

#include <lmdb.h>
#include <stdbool.h>

#define CHECK(call) check((call), #call)
void check(int status, const char *call);

// A log of events by position and, optionally, an index of it by stream and version.
struct store {
    MDB_env *environment;
    MDB_dbi log, index;
    bool indexed;
    uint64_t position;
};
struct store open_store(const char *folder, bool indexed, unsigned flags);
void put_batch(struct store *, MDB_txn *, struct writer *);

struct result append(const struct options *);
struct result fill(const struct options *);
struct result scan(const struct options *);
struct result rebuild_limit(const struct options *);
