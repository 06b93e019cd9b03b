// Redis with appendfsync=always: a command is answered after its sync, and waiting commands share one sync.
#pragma once

#include "../common/common.h"

#include <hiredis/hiredis.h>

redisContext *open_connection(const char *socket);
redisReply *next_reply(redisContext *);

// The words of a command, which are not copied: their memory must stay valid until the command is sent.
struct command {
    const char **words;
    size_t *lengths;
    int count, capacity;
};
void begin_command(struct command *);
void add_word(struct command *, const void *word, size_t length);
void add_text(struct command *, const char *word);
void send_command(redisContext *, struct command *);
void free_command(struct command *);

extern const struct appender to_log, to_log_and_streams;
struct result append(const struct options *);
struct result fill(const struct options *);
struct result scan(const struct options *);
