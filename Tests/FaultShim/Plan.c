// The fault plan: which calls fail, when and how.
#define _GNU_SOURCE
#include "Shim.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum action action = ACTION_NONE;
static enum kind kind = KIND_ANY;
static long first, count, seen;
static int error, is_marked;

static const char *const action_names[] = {"none", "kill-before", "kill-after", "kill-within",
                                           "fail", "fail-after",  "short",      "swallow"};
static const char *const kind_names[] = {"any", "write", "sync", "size", "name", "open"};

static int find(const char *name, const char *const *names, int length) {
    for (int index = 0; index < length; index++)
        if (strcmp(name, names[index]) == 0) return index;
    // An unknown plan aborts the process, because a test without a fault would pass.
    fprintf(stderr, "FaultShim: no such plan: %s\n", name);
    abort();
}

void plan_read(void) {
    const char *text = getenv("HEALTHJOURNAL_FAULT_PLAN");
    if (!text) return;
    char act[16], what[16];
    if (sscanf(text, "%15s %15s %ld %ld %d", act, what, &first, &count, &error) != 5) find(text, NULL, 0);
    action = (enum action)find(act, action_names, sizeof action_names / sizeof *action_names);
    kind = (enum kind)find(what, kind_names, sizeof kind_names / sizeof *kind_names);
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

enum action plan_begin(enum kind step) {
    if (action == ACTION_NONE || (kind == KIND_ANY ? step == KIND_OPEN : kind != step)) return ACTION_NONE;
    seen++;
    if (seen < first || (count > 0 && seen >= first + count)) return ACTION_NONE;
    if (action == ACTION_KILL_BEFORE) die();
    const char *mark = getenv("HEALTHJOURNAL_FAULT_MARK");
    if (mark && !is_marked) real_close(real_open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    is_marked = 1;
    return action;
}

void plan_end(enum action taken) {
    if (taken == ACTION_KILL_AFTER || taken == ACTION_KILL_WITHIN) die();
}

int plan_error(void) { return error; }
