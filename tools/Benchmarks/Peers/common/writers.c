// The closed loop: a writer has one batch in flight at a time, like a client that waits for its answer.
#include "common.h"

#include <pthread.h>
#include <stdlib.h>

struct latencies {
    double *seconds;
    long count, capacity;
};

struct worker {
    pthread_t thread;
    struct writer writer;
    const struct appender *appender;
    struct latencies latencies;
    double ended;
};

// All connections are open before the clock starts.
static pthread_barrier_t ready;
static _Atomic long batches_left;

static void note_latency(struct latencies *all, double seconds) {
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 4096;
        all->seconds = realloc(all->seconds, (size_t)all->capacity * sizeof(double));
        if (!all->seconds) fail("no memory for %ld latencies", all->capacity);
    }
    all->seconds[all->count++] = seconds;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    const struct options *options = worker->writer.options;
    worker->writer.connection = worker->appender->connect(options);
    pthread_barrier_wait(&ready);
    double begun = now(), end = begun + options->seconds;
    while (options->events ? atomic_fetch_sub(&batches_left, 1) > 0 : begun < end) {
        worker->appender->append(&worker->writer);
        double done = now();
        note_latency(&worker->latencies, done - begun);
        begun = done;
    }
    worker->ended = now();
    worker->appender->disconnect(worker->writer.connection);
    return NULL;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct result sum_up(const struct options *options, struct worker *workers, double begun) {
    struct latencies all = {0};
    double ended = begun;
    for (long i = 0; i < options->writers; i++) {
        if (workers[i].ended > ended) ended = workers[i].ended;
        for (long k = 0; k < workers[i].latencies.count; k++) note_latency(&all, workers[i].latencies.seconds[k]);
        free(workers[i].latencies.seconds);
    }
    qsort(all.seconds, (size_t)all.count, sizeof(double), ascending);
    struct result result = {.events = all.count * options->batch, .seconds = ended - begun};
    if (all.count) {
        result.p50 = all.seconds[all.count / 2];
        result.p99 = all.seconds[all.count * 99 / 100];
    }
    free(all.seconds);
    return result;
}

struct result run_writers(const struct options *options, const struct appender *appender) {
    struct worker *workers = calloc((size_t)options->writers, sizeof(struct worker));
    if (!workers) fail("no memory for %ld writers", options->writers);
    batches_left = (options->events + options->batch - 1) / options->batch;
    pthread_barrier_init(&ready, NULL, (unsigned)options->writers + 1);
    for (long i = 0; i < options->writers; i++) {
        workers[i].appender = appender;
        workers[i].writer = (struct writer){.options = options, .random = 88172645463325252u + (uint64_t)i * 7919};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) fail("cannot start thread %ld", i);
    }
    pthread_barrier_wait(&ready);
    double begun = now();
    for (long i = 0; i < options->writers; i++) pthread_join(workers[i].thread, NULL);
    struct result result = sum_up(options, workers, begun);
    pthread_barrier_destroy(&ready);
    free(workers);
    return result;
}
