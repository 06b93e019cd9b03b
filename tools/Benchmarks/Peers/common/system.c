#define _XOPEN_SOURCE 700
#include "common.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void make_folder(const char *path) {
    if (mkdir(path, 0755) && errno != EEXIST) fail("cannot make %s: %s", path, strerror(errno));
}

static long long blocks;
static int add_blocks(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)path, (void)place;
    if (kind == FTW_F) blocks += status->st_blocks;
    return 0;
}

long long bytes_below(const char *folder) {
    blocks = 0;
    if (nftw(folder, add_blocks, 16, FTW_PHYS)) fail("cannot look into %s: %s", folder, strerror(errno));
    return blocks * 512;
}
