#include "postgres.h"

PGconn *open_connection(const char *place) {
    PGconn *connection = PQconnectdb(place);
    if (PQstatus(connection) != CONNECTION_OK) fail("%s", PQerrorMessage(connection));
    return connection;
}

void run(PGconn *connection, const char *sql) {
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail("%s: %s", sql, PQerrorMessage(connection));
    PQclear(result);
}

// Positions come from a sequence: with several writers they have gaps, and are not committed in order.
void make_table(PGconn *connection) {
    run(connection, "SET client_min_messages = error");
    run(connection, "DROP TABLE IF EXISTS events");
    run(connection, "CREATE TABLE events(position bigserial PRIMARY KEY, stream uuid NOT NULL, version bigint NOT NULL,"
                    "type text NOT NULL, data bytea NOT NULL, UNIQUE(stream, version))");
    run(connection, "CHECKPOINT");
}
