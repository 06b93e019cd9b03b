// Appends to the log only: fast, but reading one stream means reading the whole log. The commands of a batch are sent
// together and run as one transaction.
#include "redis.h"

#include <stdio.h>
#include <stdlib.h>

struct session {
    redisContext *connection;
    struct command command;
};

static void *open_session(const struct options *options) {
    struct session *session = calloc(1, sizeof *session);
    if (!session) fail("no memory for a session");
    session->connection = open_connection(options->place);
    return session;
}

static void send_word(struct session *session, const char *word) {
    begin_command(&session->command);
    add_text(&session->command, word);
    send_command(session->connection, &session->command);
}

static void send_event(struct session *session, struct stream *stream) {
    struct command *add = &session->command;
    char version[24];
    snprintf(version, sizeof version, "%ld", (long)atomic_fetch_add(&stream->version, 1) + 1);
    begin_command(add);
    add_text(add, "XADD");
    add_text(add, "log");
    add_text(add, "*");
    add_text(add, "stream");
    add_word(add, stream->id, ID_BYTES);
    add_text(add, "version");
    add_text(add, version);
    add_text(add, "type");
    add_text(add, EVENT_TYPE);
    add_text(add, "data");
    add_word(add, event_data, EVENT_BYTES);
    send_command(session->connection, add);
}

static void append_batch(struct writer *writer) {
    struct session *session = writer->connection;
    long batch = writer->options->batch, replies = batch;
    if (batch > 1) {
        send_word(session, "MULTI");
        replies += 2;
    }
    for (long i = 0; i < batch; i++) send_event(session, random_stream(&writer->random));
    if (batch > 1) send_word(session, "EXEC");
    while (replies--) freeReplyObject(next_reply(session->connection));
}

static void close_session(void *opened) {
    struct session *session = opened;
    redisFree(session->connection);
    free_command(&session->command);
    free(session);
}

const struct appender to_log = {open_session, append_batch, close_session};
