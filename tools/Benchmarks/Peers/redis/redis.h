// Redis with appendfsync=always: a command is answered after its sync, and commands that wait share one.
#pragma once

#include "../common/common.h"

#include <hiredis/hiredis.h>

redisContext *open_connection(const char *socket);
redisReply *next_reply(redisContext *);

// A command's words, none of them copied: what they point at must stay until it is sent.
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
