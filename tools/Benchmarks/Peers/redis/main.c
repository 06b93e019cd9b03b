//   redis append SOCKET --writers N --batch N --seconds S --variant log | streams
//   redis fill SOCKET --events N
//   redis scan SOCKET
#include "redis.h"

#include <string.h>

int main(int count, char **arguments) {
    struct options options = read_options(count, arguments);
    make_events();
    if (!strcmp(options.work, "append")) {
        print_result("redis", &options, append(&options),
                     "appendfsync=always, a sync for all that wait; all of it in memory");
    } else if (!strcmp(options.work, "fill")) {
        print_result("redis", &options, fill(&options), "log alone");
    } else if (!strcmp(options.work, "scan")) {
        print_result("redis", &options, scan(&options), "XRANGE, 1,000 events a page");
    } else {
        fail("redis does not know the work %s", options.work);
    }
}
