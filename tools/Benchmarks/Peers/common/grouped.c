// Group commit. Writers hand their batches to one committer thread, which commits all waiting batches in one
// transaction and wakes each writer after the sync. A single writer commits its batches itself, because no other writer
// could share a sync with it.
#include "common.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

static void (*commit)(const struct request *group);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct request *waiting;
static bool stopping;

static void commit_own(struct writer *writer) {
    commit(&(struct request){.writer = writer});
}

static void hand_over(struct writer *writer) {
    sem_t durable;
    sem_init(&durable, 0, 0);
    struct request request = {.writer = writer, .woken = &durable};
    pthread_mutex_lock(&lock);
    request.next = waiting;
    waiting = &request;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    while (sem_wait(&durable)) continue;  // a signal interrupted it
    sem_destroy(&durable);
}

static struct request *take_all(void) {
    pthread_mutex_lock(&lock);
    while (!waiting && !stopping) pthread_cond_wait(&arrived, &lock);
    struct request *taken = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&lock);
    return taken;
}

static void *commit_groups(void *unused) {
    (void)unused;
    struct request *group;
    while ((group = take_all())) {
        commit(group);
        while (group) {
            struct request *next = group->next;  // read now: a request is invalid once its writer wakes
            sem_post(group->woken);
            group = next;
        }
    }
    return NULL;
}

static void stop(void) {
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
}

static void *no_connection(const struct options *options) {
    (void)options;
    return NULL;
}
static void nothing_to_close(void *connection) {
    (void)connection;
}

struct result run_grouped(const struct options *options, void (*commit_group)(const struct request *)) {
    commit = commit_group;
    bool alone = options->writers == 1;
    pthread_t committer;
    if (!alone && pthread_create(&committer, NULL, commit_groups, NULL)) fail("cannot start the committer");
    struct result result = run_writers(options, &(struct appender){
        .connect = no_connection, .append = alone ? commit_own : hand_over, .disconnect = nothing_to_close});
    if (!alone) {
        stop();
        pthread_join(committer, NULL);
    }
    return result;
}
