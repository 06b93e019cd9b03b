#include "lmdb.h"

#include <string.h>

void check(int status, const char *call) {
    if (status) fail("%s: %s", call, mdb_strerror(status));
}

struct store open_store(const char *folder, bool indexed, unsigned flags) {
    struct store store = {.indexed = indexed};
    make_folder(folder);
    CHECK(mdb_env_create(&store.environment));
    CHECK(mdb_env_set_mapsize(store.environment, 64ull << 30));  // address space, not file size
    CHECK(mdb_env_set_maxdbs(store.environment, 2));
    CHECK(mdb_env_open(store.environment, folder, MDB_NOTLS | flags, 0644));
    MDB_txn *transaction;
    CHECK(mdb_txn_begin(store.environment, NULL, 0, &transaction));
    CHECK(mdb_dbi_open(transaction, "log", MDB_CREATE, &store.log));
    if (indexed) CHECK(mdb_dbi_open(transaction, "index", MDB_CREATE, &store.index));
    CHECK(mdb_txn_commit(transaction));
    return store;
}

static void put_index(struct store *store, MDB_txn *transaction, struct stream *stream, uint8_t position[8]) {
    uint8_t bytes[ID_BYTES + 8];
    memcpy(bytes, stream->id, ID_BYTES);
    store_big_endian(bytes + ID_BYTES, (uint64_t)atomic_fetch_add(&stream->version, 1) + 1);
    MDB_val key = {sizeof bytes, bytes}, value = {8, position};
    CHECK(mdb_put(transaction, store->index, &key, &value, 0));
}

void put_batch(struct store *store, MDB_txn *transaction, struct writer *writer) {
    for (long i = 0; i < writer->options->batch; i++) {
        uint8_t position[8];
        store_big_endian(position, ++store->position);
        MDB_val key = {8, position}, value = {EVENT_BYTES, event_data};
        CHECK(mdb_put(transaction, store->log, &key, &value, MDB_APPEND));
        if (store->indexed) put_index(store, transaction, random_stream(&writer->random), position);
    }
}
