#include "sqlite.h"

#include <stdio.h>

static const char SETTINGS[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "PRAGMA cache_size = -65536;"            // 64 MiB a connection
    "PRAGMA wal_autocheckpoint = 16384;"     // in pages: fewer checkpoints into the main file than by default
    "PRAGMA mmap_size = 8589934592;";

// An INTEGER PRIMARY KEY is the row id itself, so that there is no second B-tree.
static const char TABLE[] =
    "CREATE TABLE IF NOT EXISTS events("
    "position INTEGER PRIMARY KEY, stream BLOB NOT NULL, version INTEGER NOT NULL, type TEXT NOT NULL,"
    "data BLOB NOT NULL, UNIQUE(stream, version));";

void check(sqlite3 *database, int status, const char *call) {
    if (status != SQLITE_OK && status != SQLITE_ROW && status != SQLITE_DONE) {
        fail("%s: %s", call, sqlite3_errmsg(database));
    }
}

sqlite3 *open_database(const char *folder) {
    char path[4096];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/events.sqlite", folder);
    sqlite3 *database;
    // Each connection is used by only one thread, and needs no mutex.
    int how = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &database, how, NULL)) fail("cannot open %s", path);
    sqlite3_busy_timeout(database, 60000);
    CHECK(database, sqlite3_exec(database, SETTINGS, NULL, NULL, NULL));
    CHECK(database, sqlite3_exec(database, TABLE, NULL, NULL, NULL));
    return database;
}
