// Appends single events with a prepared INSERT, and batches with a prepared INSERT over arrays. (Binary COPY was as
// fast for batches of 100 and slower for 1,000, because it needs one more round trip.)
#include "postgres.h"

#include <stdlib.h>
#include <string.h>

struct session {
    PGconn *connection;
    struct buffer columns[4];
};

static const char INSERT[] = "INSERT INTO events(stream, version, type, data) VALUES($1, $2, $3, $4)";
static const char UNNEST[] =
    "INSERT INTO events(stream, version, type, data)"
    " SELECT * FROM unnest($1::uuid[], $2::int8[], $3::text[], $4::bytea[])";

static void prepare(PGconn *connection, const char *name, const char *sql) {
    PGresult *result = PQprepare(connection, name, sql, 4, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail("%s: %s", sql, PQerrorMessage(connection));
    PQclear(result);
}

static void *open_session(const struct options *options) {
    struct session *session = calloc(1, sizeof *session);
    if (!session) fail("no memory for a session");
    session->connection = open_connection(options->place);
    prepare(session->connection, "one", INSERT);
    prepare(session->connection, "many", UNNEST);
    return session;
}

static void execute(PGconn *connection, const char *name, const struct buffer columns[4]) {
    const char *values[4];
    int lengths[4], binary[4] = {1, 1, 1, 1};
    for (int i = 0; i < 4; i++) {
        values[i] = (const char *)columns[i].bytes;
        lengths[i] = (int)columns[i].count;
    }
    PGresult *result = PQexecPrepared(connection, name, 4, values, lengths, binary, 0);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail("%s: %s", name, PQerrorMessage(connection));
    PQclear(result);
}

static uint64_t next_version(struct stream *stream) {
    return (uint64_t)atomic_fetch_add(&stream->version, 1) + 1;
}

static void append_one(struct writer *writer) {
    struct session *session = writer->connection;
    struct stream *stream = random_stream(&writer->random);
    for (int i = 0; i < 4; i++) session->columns[i].count = 0;
    put_bytes(&session->columns[0], stream->id, ID_BYTES);
    put_64(&session->columns[1], next_version(stream));
    put_bytes(&session->columns[2], EVENT_TYPE, strlen(EVENT_TYPE));
    put_bytes(&session->columns[3], event_data, EVENT_BYTES);
    execute(session->connection, "one", session->columns);
}

static void begin_array(struct buffer *array, uint32_t type, long count) {
    array->count = 0;
    put_32(array, 1);  // dimensions
    put_32(array, 0);  // no nulls
    put_32(array, type);
    put_32(array, (uint32_t)count);
    put_32(array, 1);  // first subscript
}

static void append_arrays(struct writer *writer) {
    enum { BYTEA = 17, INT8 = 20, TEXT = 25, UUID = 2950 };
    struct session *session = writer->connection;
    struct buffer *columns = session->columns;
    const uint32_t types[4] = {UUID, INT8, TEXT, BYTEA};
    for (int i = 0; i < 4; i++) begin_array(&columns[i], types[i], writer->options->batch);
    for (long i = 0; i < writer->options->batch; i++) {
        struct stream *stream = random_stream(&writer->random);
        put_field(&columns[0], stream->id, ID_BYTES);
        put_32(&columns[1], 8);
        put_64(&columns[1], next_version(stream));
        put_field(&columns[2], EVENT_TYPE, strlen(EVENT_TYPE));
        put_field(&columns[3], event_data, EVENT_BYTES);
    }
    execute(session->connection, "many", columns);
}

static void close_session(void *opened) {
    struct session *session = opened;
    PQfinish(session->connection);
    for (int i = 0; i < 4; i++) free(session->columns[i].bytes);
    free(session);
}

static long long table_bytes(PGconn *connection) {
    PGresult *result = PQexec(connection, "SELECT pg_total_relation_size('events')");
    if (PQresultStatus(result) != PGRES_TUPLES_OK) fail("%s", PQerrorMessage(connection));
    long long bytes = atoll(PQgetvalue(result, 0, 0));
    PQclear(result);
    return bytes;
}

struct result append(const struct options *options) {
    PGconn *connection = open_connection(options->place);
    make_table(connection);
    struct result result = run_writers(options, &(struct appender){
        .connect = open_session, .append = options->batch == 1 ? append_one : append_arrays,
        .disconnect = close_session});
    result.bytes = table_bytes(connection);
    PQfinish(connection);
    return result;
}

struct result fill(const struct options *options) {
    struct options batches = *options;
    batches.batch = 10000;
    return append(&batches);
}
