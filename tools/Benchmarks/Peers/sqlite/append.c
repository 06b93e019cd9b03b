// Appends: each writer with its own connection and commits, or all writers through one connection with group commit.
#include "sqlite.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct connection {
    sqlite3 *database;
    sqlite3_stmt *begin, *insert, *commit;
};

// SQLite lets one connection write at a time; the others sleep and retry, for so long that some starve. Taking turns
// with a mutex is what a program with all writers in one process would do.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    CHECK(database, sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
    return statement;
}

static void *open_connection(const struct options *options) {
    struct connection *connection = malloc(sizeof *connection);
    if (!connection) fail("no memory for a connection");
    sqlite3 *database = connection->database = open_database(options->place);
    // IMMEDIATE takes the write lock at once; a transaction that reads first and requests the lock later could be
    // refused it.
    connection->begin = prepare(database, "BEGIN IMMEDIATE");
    connection->insert = prepare(database, "INSERT INTO events(stream, version, type, data) VALUES(?, ?, ?, ?)");
    connection->commit = prepare(database, "COMMIT");
    sqlite3_bind_text(connection->insert, 3, EVENT_TYPE, -1, SQLITE_STATIC);
    sqlite3_bind_blob(connection->insert, 4, event_data, EVENT_BYTES, SQLITE_STATIC);
    return connection;
}

static void run(struct connection *connection, sqlite3_stmt *statement) {
    CHECK(connection->database, sqlite3_step(statement));
    CHECK(connection->database, sqlite3_reset(statement));
}

static void insert_batch(struct connection *connection, struct writer *writer) {
    for (long i = 0; i < writer->options->batch; i++) {
        struct stream *stream = random_stream(&writer->random);
        sqlite3_bind_blob(connection->insert, 1, stream->id, ID_BYTES, SQLITE_STATIC);
        sqlite3_bind_int64(connection->insert, 2, atomic_fetch_add(&stream->version, 1) + 1);
        run(connection, connection->insert);
    }
}

static void append_batch(struct writer *writer) {
    struct connection *connection = writer->connection;
    pthread_mutex_lock(&turn);
    run(connection, connection->begin);
    insert_batch(connection, writer);
    run(connection, connection->commit);
    pthread_mutex_unlock(&turn);
}

static void close_connection(void *opened) {
    struct connection *connection = opened;
    sqlite3_finalize(connection->begin);
    sqlite3_finalize(connection->insert);
    sqlite3_finalize(connection->commit);
    sqlite3_close(connection->database);
    free(connection);
}

static struct connection *shared;

static void commit_group(const struct request *group) {
    run(shared, shared->begin);
    for (const struct request *each = group; each; each = each->next) insert_batch(shared, each->writer);
    run(shared, shared->commit);
}

struct result append(const struct options *options) {
    // Kept open beside the writers: when its last connection closes, SQLite copies a database's log into the main file.
    shared = open_connection(options);
    struct result result = !strcmp(options->variant, "grouped")
        ? run_grouped(options, commit_group)
        : run_writers(options, &(struct appender){
              .connect = open_connection, .append = append_batch, .disconnect = close_connection});
    close_connection(shared);
    result.bytes = bytes_below(options->place);
    return result;
}

struct result fill(const struct options *options) {
    struct options batches = *options;
    batches.batch = 10000;
    return append(&batches);
}
