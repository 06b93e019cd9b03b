#include "common.h"

#include <stdlib.h>
#include <string.h>

static double positive(const char *name, const char *text) {
    char *end;
    double number = strtod(text, &end);
    if (*end || end == text || number <= 0) fail("%s takes a positive number, not \"%s\"", name, text);
    return number;
}

struct options read_options(int count, char **arguments) {
    if (count < 3) fail("usage: %s WORK PLACE [--writers N] [--batch N] [--seconds S] [--events N] [--variant NAME]",
                        arguments[0]);
    struct options options = {
        .work = arguments[1], .place = arguments[2], .variant = "", .writers = 1, .batch = 1, .seconds = 3};
    for (int i = 3; i < count; i += 2) {
        const char *name = arguments[i];
        if (i + 1 == count) fail("%s takes a value", name);
        const char *value = arguments[i + 1];
        if (!strcmp(name, "--writers")) options.writers = (long)positive(name, value);
        else if (!strcmp(name, "--batch")) options.batch = (long)positive(name, value);
        else if (!strcmp(name, "--events")) options.events = (long)positive(name, value);
        else if (!strcmp(name, "--seconds")) options.seconds = positive(name, value);
        else if (!strcmp(name, "--variant")) options.variant = value;
        else fail("there is no option %s", name);
    }
    return options;
}
