//   sqlite append FOLDER --writers N --batch N --seconds S [--variant grouped]
//   sqlite fill FOLDER --events N
//   sqlite scan FOLDER
#include "sqlite.h"

#include <string.h>

int main(int count, char **arguments) {
    struct options options = read_options(count, arguments);
    make_events();
    if (!strcmp(options.work, "append")) {
        print_result("sqlite", &options, append(&options),
                     "WAL, synchronous=FULL, one sync a commit; unique(stream, version)");
    } else if (!strcmp(options.work, "fill")) {
        print_result("sqlite", &options, fill(&options), "WAL, synchronous=FULL");
    } else if (!strcmp(options.work, "scan")) {
        print_result("sqlite", &options, scan(&options), "all columns of all rows, from the page cache");
    } else {
        fail("sqlite does not know the work %s", options.work);
    }
}
