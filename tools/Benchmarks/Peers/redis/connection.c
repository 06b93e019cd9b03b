#include "redis.h"

redisContext *open_connection(const char *socket) {
    redisContext *connection = redisConnectUnix(socket);
    if (!connection || connection->err) fail("cannot connect to %s: %s", socket, connection ? connection->errstr : "");
    return connection;
}

redisReply *next_reply(redisContext *connection) {
    redisReply *reply;
    if (redisGetReply(connection, (void **)&reply) != REDIS_OK) fail("%s", connection->errstr);
    if (reply->type == REDIS_REPLY_ERROR) fail("%s", reply->str);
    return reply;
}
