#include "common.h"

#include <stdio.h>
#include <string.h>

// Nothing printed here holds a character that JSON would want escaped: all of it is written in these sources.
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
