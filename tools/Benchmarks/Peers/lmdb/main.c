//   lmdb append FOLDER --writers N --batch N --seconds S --variant log | indexed
//   lmdb fill FOLDER --events N
//   lmdb scan FOLDER --variant touched | untouched
//   lmdb rebuild-limit FOLDER
#include "lmdb.h"

#include <string.h>

int main(int count, char **arguments) {
    struct options options = read_options(count, arguments);
    make_events();
    if (!strcmp(options.work, "append")) {
        print_result("lmdb", &options, append(&options),
                     "two syncs a commit (data, then the meta page); no hashing, sealing or checks");
    } else if (!strcmp(options.work, "fill")) {
        print_result("lmdb", &options, fill(&options), "log alone");
    } else if (!strcmp(options.work, "scan")) {
        print_result("lmdb", &options, scan(&options), "cursor over the log, from the page cache");
    } else if (!strcmp(options.work, "rebuild-limit")) {
        print_result("lmdb", &options, rebuild_limit(&options), "one random-keyed put an event, not synced");
    } else {
        fail("lmdb does not know the work %s", options.work);
    }
}
