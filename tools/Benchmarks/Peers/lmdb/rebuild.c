// A lower bound for the cost of rebuilding a view: the log is read in order, and one row is stored for each event under
// a random key, in an environment that is not synced.
#include "lmdb.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EVENTS_A_COMMIT = 4096, ROW_BYTES = 40 };

struct view {
    MDB_env *environment;
    MDB_dbi rows;
    MDB_txn *transaction;
};

static void remove_file(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (unlink(path) && errno != ENOENT) fail("cannot remove %s: %s", path, strerror(errno));
}

// Removes the files of an earlier run first, because reusing freed pages is cheaper than allocating new ones.
static struct view open_view(const char *folder) {
    struct view view;
    make_folder(folder);
    remove_file(folder, "data.mdb");
    remove_file(folder, "lock.mdb");
    CHECK(mdb_env_create(&view.environment));
    CHECK(mdb_env_set_mapsize(view.environment, 64ull << 30));
    CHECK(mdb_env_open(view.environment, folder, MDB_NOSYNC | MDB_NOTLS, 0644));
    CHECK(mdb_txn_begin(view.environment, NULL, 0, &view.transaction));
    CHECK(mdb_dbi_open(view.transaction, NULL, 0, &view.rows));
    return view;
}

static void put_row(struct view *view, uint64_t *random, MDB_val position, MDB_val event) {
    uint8_t id[ID_BYTES + 8], row[ROW_BYTES];
    store_big_endian(id, next_random(random));
    store_big_endian(id + 8, next_random(random));
    memcpy(id + ID_BYTES, position.mv_data, 8);
    memcpy(row, event.mv_data, ROW_BYTES);
    MDB_val key = {sizeof id, id}, value = {sizeof row, row};
    CHECK(mdb_put(view->transaction, view->rows, &key, &value, 0));
}

struct result rebuild_limit(const struct options *options) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/view", options->place);
    struct store store = open_store(options->place, false, 0);
    struct view view = open_view(folder);
    struct result result = {0};
    uint64_t random = 42;

    double begun = now();
    MDB_txn *reading;
    MDB_cursor *cursor;
    CHECK(mdb_txn_begin(store.environment, NULL, MDB_RDONLY, &reading));
    CHECK(mdb_cursor_open(reading, store.log, &cursor));
    MDB_val position, event;
    while (!mdb_cursor_get(cursor, &position, &event, MDB_NEXT)) {
        put_row(&view, &random, position, event);
        if (++result.events % EVENTS_A_COMMIT == 0) {
            CHECK(mdb_txn_commit(view.transaction));
            CHECK(mdb_txn_begin(view.environment, NULL, 0, &view.transaction));
        }
    }
    CHECK(mdb_txn_commit(view.transaction));
    result.seconds = now() - begun;

    mdb_cursor_close(cursor);
    mdb_txn_abort(reading);
    mdb_env_close(view.environment);
    mdb_env_close(store.environment);
    return result;
}
