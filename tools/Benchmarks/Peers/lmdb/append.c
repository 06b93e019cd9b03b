#include "lmdb.h"

#include <string.h>

static struct store store;

static void commit_group(const struct request *group) {
    MDB_txn *transaction;
    CHECK(mdb_txn_begin(store.environment, NULL, 0, &transaction));
    for (const struct request *each = group; each; each = each->next) put_batch(&store, transaction, each->writer);
    CHECK(mdb_txn_commit(transaction));
}

struct result append(const struct options *options) {
    store = open_store(options->place, !strcmp(options->variant, "indexed"), 0);
    struct result result = run_grouped(options, commit_group);
    mdb_env_close(store.environment);
    result.bytes = bytes_below(options->place);
    return result;
}

struct result fill(const struct options *options) {
    struct options batches = *options;
    batches.batch = 10000;
    return append(&batches);
}
