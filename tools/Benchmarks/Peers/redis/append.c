#include "redis.h"

#include <string.h>

static void forget_all(const char *socket) {
    redisContext *connection = open_connection(socket);
    redisAppendCommand(connection, "FLUSHALL SYNC");
    freeReplyObject(next_reply(connection));
    redisFree(connection);
}

struct result append(const struct options *options) {
    forget_all(options->place);
    return run_writers(options, strcmp(options->variant, "streams") ? &to_log : &to_log_and_streams);
}

struct result fill(const struct options *options) {
    struct options batches = *options;
    batches.batch = 1000;
    return append(&batches);
}
