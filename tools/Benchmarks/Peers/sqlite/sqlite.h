// SQLite with a write-ahead log and synchronous=FULL: one sync a commit, and no acknowledged event is lost in a power
// loss.
#pragma once

#include "../common/common.h"

#include <sqlite3.h>

#define CHECK(database, call) check(database, call, #call)
void check(sqlite3 *, int status, const char *call);

sqlite3 *open_database(const char *folder);

struct result append(const struct options *);
struct result fill(const struct options *);
struct result scan(const struct options *);
