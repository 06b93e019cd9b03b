//   postgres append CONNECTION --writers N --batch N --seconds S
//   postgres fill CONNECTION --events N
//   postgres scan CONNECTION
#include "postgres.h"

#include <string.h>

int main(int count, char **arguments) {
    struct options options = read_options(count, arguments);
    make_events();
    if (!strcmp(options.work, "append")) {
        print_result("postgres", &options, append(&options),
                     "synchronous_commit=on, a WAL sync a commit or group; unique(stream, version)");
    } else if (!strcmp(options.work, "fill")) {
        print_result("postgres", &options, fill(&options), "synchronous_commit=on");
    } else if (!strcmp(options.work, "scan")) {
        print_result("postgres", &options, scan(&options), "all columns of all rows by binary COPY");
    } else {
        fail("postgres does not know the work %s", options.work);
    }
}
