// Appends to the log and, for each stream, to a list of places in the log, so that one stream can be read. A script
// runs atomically, and knows the place that the log assigned. (The same with MULTI, with the event in both, was no
// faster.)
#include "redis.h"

#include <stdio.h>
#include <stdlib.h>

static const char SCRIPT[] =
    "for i = 1, #ARGV, 4 do"
    "  local place = redis.call('XADD', 'log', '*',"
    "    'stream', ARGV[i], 'version', ARGV[i + 1], 'type', ARGV[i + 2], 'data', ARGV[i + 3])"
    "  redis.call('XADD', 'stream:' .. ARGV[i], '*', 'at', place) "
    "end";

enum { VERSION_DIGITS = 24 };

struct session {
    redisContext *connection;
    redisReply *script;
    struct command command;
    char (*versions)[VERSION_DIGITS];
};

static void *open_session(const struct options *options) {
    struct session *session = calloc(1, sizeof *session);
    if (!session) fail("no memory for a session");
    session->versions = calloc((size_t)options->batch, VERSION_DIGITS);
    if (!session->versions) fail("no memory for %ld versions", options->batch);
    session->connection = open_connection(options->place);
    redisAppendCommand(session->connection, "SCRIPT LOAD %s", SCRIPT);
    session->script = next_reply(session->connection);
    return session;
}

static void append_batch(struct writer *writer) {
    struct session *session = writer->connection;
    struct command *call = &session->command;
    begin_command(call);
    add_text(call, "EVALSHA");
    add_text(call, session->script->str);
    add_text(call, "0");
    for (long i = 0; i < writer->options->batch; i++) {
        struct stream *stream = random_stream(&writer->random);
        long version = (long)atomic_fetch_add(&stream->version, 1) + 1;
        snprintf(session->versions[i], VERSION_DIGITS, "%ld", version);
        add_word(call, stream->id, ID_BYTES);
        add_text(call, session->versions[i]);
        add_text(call, EVENT_TYPE);
        add_word(call, event_data, EVENT_BYTES);
    }
    send_command(session->connection, call);
    freeReplyObject(next_reply(session->connection));
}

static void close_session(void *opened) {
    struct session *session = opened;
    freeReplyObject(session->script);
    redisFree(session->connection);
    free_command(&session->command);
    free(session->versions);
    free(session);
}

const struct appender to_log_and_streams = {open_session, append_batch, close_session};
