#include "redis.h"

#include <stdlib.h>
#include <string.h>

void begin_command(struct command *command) {
    command->count = 0;
}

void add_word(struct command *command, const void *word, size_t length) {
    if (command->count == command->capacity) {
        command->capacity = command->capacity ? 2 * command->capacity : 16;
        command->words = realloc(command->words, (size_t)command->capacity * sizeof *command->words);
        command->lengths = realloc(command->lengths, (size_t)command->capacity * sizeof *command->lengths);
        if (!command->words || !command->lengths) fail("no memory for a command of %d words", command->capacity);
    }
    command->words[command->count] = word;
    command->lengths[command->count++] = length;
}

void add_text(struct command *command, const char *word) {
    add_word(command, word, strlen(word));
}

void send_command(redisContext *connection, struct command *command) {
    if (redisAppendCommandArgv(connection, command->count, command->words, command->lengths) != REDIS_OK) {
        fail("%s", connection->errstr);
    }
}

void free_command(struct command *command) {
    free(command->words);
    free(command->lengths);
}
