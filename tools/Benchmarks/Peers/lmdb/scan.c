// Reads the whole log in order through a cursor: without touching the events, or with a read of each of their cache
// lines.
#include "lmdb.h"

#include <string.h>

enum { CACHE_LINE = 64 };

static uint64_t touch(MDB_val value) {
    const uint8_t *bytes = value.mv_data;
    uint64_t sum = 0;
    for (size_t i = 0; i < value.mv_size; i += CACHE_LINE) sum += bytes[i];
    return sum;
}

struct result scan(const struct options *options) {
    bool touching = !strcmp(options->variant, "touched");
    struct store store = open_store(options->place, false, 0);
    struct result result = {0};
    volatile uint64_t sum = 0;  // keeps the compiler from removing the reads

    double begun = now();
    MDB_txn *transaction;
    MDB_cursor *cursor;
    CHECK(mdb_txn_begin(store.environment, NULL, MDB_RDONLY, &transaction));
    CHECK(mdb_cursor_open(transaction, store.log, &cursor));
    MDB_val key, value;
    int status;
    while (!(status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))) {
        result.events++;
        sum += touching ? touch(value) : value.mv_size;
    }
    if (status != MDB_NOTFOUND) CHECK(status);
    result.seconds = now() - begun;

    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    mdb_env_close(store.environment);
    return result;
}
