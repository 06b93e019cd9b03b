#include "common.h"

#include <stdio.h>
#include <string.h>

// No string printed here needs JSON escaping: they are constants of these sources, or options that the benchmarks pass.
void print_result(const char *system, const struct options *options, struct result result, const char *note) {
    printf("{\"system\": \"%s\", \"work\": \"%s\"", system, options->work);
    if (*options->variant) printf(", \"variant\": \"%s\"", options->variant);
    if (!strcmp(options->work, "append")) {
        printf(", \"writers\": %ld, \"batch\": %ld", options->writers, options->batch);
        printf(", \"p50_us\": %.1f, \"p99_us\": %.1f", result.p50 * 1e6, result.p99 * 1e6);
    }
    printf(", \"events\": %ld, \"seconds\": %.6f", result.events, result.seconds);
    if (result.bytes) printf(", \"bytes\": %lld", result.bytes);
    printf(", \"note\": \"%s\"}\n", note);
}
