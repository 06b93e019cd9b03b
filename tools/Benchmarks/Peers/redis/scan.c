// Reads the log in order, in pages, and parses each field.
#include "redis.h"

#include <stdio.h>
#include <string.h>

enum { PAGE = 1000 };

struct result scan(const struct options *options) {
    redisContext *connection = open_connection(options->place);
    struct result result = {0};
    volatile uint64_t sum = 0;
    char after[64] = "-";

    double begun = now();
    for (size_t count = PAGE; count == PAGE;) {
        redisAppendCommand(connection, "XRANGE log %s + COUNT %d", after, PAGE);
        redisReply *page = next_reply(connection);
        count = page->elements;
        for (size_t i = 0; i < count; i++) {
            redisReply *fields = page->element[i]->element[1];
            sum += (uint64_t)fields->element[fields->elements - 1]->str[0];
        }
        result.events += (long)count;
        if (count) snprintf(after, sizeof after, "(%s", page->element[count - 1]->element[0]->str);
        freeReplyObject(page);
    }
    result.seconds = now() - begun;

    redisFree(connection);
    return result;
}
