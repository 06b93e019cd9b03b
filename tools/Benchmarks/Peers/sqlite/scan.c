// Reads all rows in order, and fetches each column.
#include "sqlite.h"

#include <stddef.h>

struct result scan(const struct options *options) {
    sqlite3 *database = open_database(options->place);
    struct result result = {0};
    volatile uint64_t sum = 0;

    double begun = now();
    sqlite3_stmt *rows;
    const char *sql = "SELECT position, stream, version, type, data FROM events ORDER BY position";
    CHECK(database, sqlite3_prepare_v2(database, sql, -1, &rows, NULL));
    int status;
    while ((status = sqlite3_step(rows)) == SQLITE_ROW) {
        const uint8_t *stream = sqlite3_column_blob(rows, 1), *data = sqlite3_column_blob(rows, 4);
        sum += (uint64_t)(sqlite3_column_int64(rows, 0) + sqlite3_column_int64(rows, 2));
        sum += (uint64_t)(stream[0] + sqlite3_column_text(rows, 3)[0] + data[0] + sqlite3_column_bytes(rows, 4));
        result.events++;
    }
    CHECK(database, status);
    result.seconds = now() - begun;

    sqlite3_finalize(rows);
    sqlite3_close(database);
    return result;
}
