// The watched files, and the record of the operations on them.
#define _GNU_SOURCE
#include "Shim.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096, FILES = 1024, MAPS = 64, SECTOR = 512 };

static const char *root;
static size_t root_length;
static int trace = -1;

// The file or folder that each descriptor has open.
static struct { int file, writes_through; char *folder; } open_files[DESCRIPTORS];
// A file keeps its number when it is renamed, and loses it when it is unlinked or replaced.
static struct { dev_t device; ino_t inode; } files[FILES];
static int file_count;
// Writable shared maps, and their content at the last comparison.
static struct { int file; char *start, *seen; size_t length; off_t offset; } maps[MAPS];

void trace_read(void) {
    root = getenv("HEALTHJOURNAL_FAULT_ROOT");
    if (root) root_length = strlen(root);
    const char *path = getenv("HEALTHJOURNAL_FAULT_TRACE");
    if (path) trace = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

const char *trace_relative(const char *path) {
    if (!root || strncmp(path, root, root_length) != 0) return NULL;
    if (path[root_length] == 0) return ".";
    return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

static void put(enum fault_shim_record record, int file, uint64_t offset, uint64_t length, const void *payload) {
    struct fault_shim_header header = {record, (uint32_t)file, offset, length};
    real_write(trace, &header, sizeof header);
    if (payload) real_write(trace, payload, length);
}

// Records the changes of maps since the last comparison as writes; they precede the next record.
static void look_at_maps(void) {
    for (int map = 0; map < MAPS; map++) {
        if (!maps[map].start) continue;
        for (size_t at = 0; at < maps[map].length; at += SECTOR) {
            size_t length = maps[map].length - at < SECTOR ? maps[map].length - at : SECTOR;
            if (memcmp(maps[map].start + at, maps[map].seen + at, length) == 0) continue;
            memcpy(maps[map].seen + at, maps[map].start + at, length);
            put(FAULT_SHIM_WRITE, maps[map].file, (uint64_t)maps[map].offset + at, length, maps[map].seen + at);
        }
    }
}

static void record(enum fault_shim_record record, int file, uint64_t offset, uint64_t length, const void *payload) {
    if (trace < 0) return;
    look_at_maps();
    put(record, file, offset, length, payload);
}

static int number(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return 0;
    for (int file = 1; file <= file_count; file++)
        if (files[file].device == status.st_dev && files[file].inode == status.st_ino) return file;
    if (file_count + 1 == FILES) abort();
    files[++file_count].device = status.st_dev;
    files[file_count].inode = status.st_ino;
    return file_count;
}

void trace_forget(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0) return;
    for (int file = 1; file <= file_count; file++)
        if (files[file].device == status.st_dev && files[file].inode == status.st_ino) files[file].inode = 0;
}

void trace_opened(int descriptor, const char *relative, int flags, int is_new) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS) return;
    struct stat status;
    if (fstat(descriptor, &status) != 0) return;
    if (S_ISDIR(status.st_mode)) {
        open_files[descriptor].file = -1;
        open_files[descriptor].folder = strdup(relative);
        return;
    }
    int file = number(descriptor);
    open_files[descriptor].file = file;
    open_files[descriptor].writes_through = (flags & (O_DSYNC | O_SYNC)) != 0;
    record(FAULT_SHIM_OPEN, file, (is_new ? 1u : 0u) | (flags & O_TRUNC ? 2u : 0u), strlen(relative), relative);
}

void trace_closed(int descriptor) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS) return;
    free(open_files[descriptor].folder);
    memset(&open_files[descriptor], 0, sizeof open_files[descriptor]);
}

int trace_file(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS ? open_files[descriptor].file : 0;
}

void trace_wrote(int descriptor, off_t offset, const struct iovec *parts, int count, size_t length) {
    if (trace < 0) return;
    int file = open_files[descriptor].file;
    enum fault_shim_record what =
        open_files[descriptor].writes_through ? FAULT_SHIM_WRITE_THROUGH : FAULT_SHIM_WRITE;
    // Each part is recorded separately: a disk may store one of them and lose the next.
    for (int part = 0; part < count && length > 0; part++) {
        size_t taken = parts[part].iov_len < length ? parts[part].iov_len : length;
        record(what, file, (uint64_t)offset, taken, parts[part].iov_base);
        offset += (off_t)taken;
        length -= taken;
    }
}

void trace_synced(int descriptor) {
    if (open_files[descriptor].file > 0) return record(FAULT_SHIM_SYNC, open_files[descriptor].file, 0, 0, NULL);
    const char *folder = open_files[descriptor].folder;
    record(FAULT_SHIM_SYNC_FOLDER, 0, 0, strlen(folder), folder);
}

void trace_sync_failed(int descriptor) {
    if (open_files[descriptor].file > 0) record(FAULT_SHIM_SYNC_FAILED, open_files[descriptor].file, 0, 0, NULL);
}

void trace_sized(int descriptor, off_t size) {
    record(FAULT_SHIM_SIZE, open_files[descriptor].file, (uint64_t)size, 0, NULL);
}

void trace_renamed(const char *from, const char *to) {
    char both[8192];
    int length = snprintf(both, sizeof both, "%s%c%s", from, 0, to);
    if (length > 0) record(FAULT_SHIM_RENAME, 0, 0, (uint64_t)length, both);
}

void trace_unlinked(const char *relative) { record(FAULT_SHIM_UNLINK, 0, 0, strlen(relative), relative); }

void trace_made_folder(const char *relative) { record(FAULT_SHIM_MAKE_FOLDER, 0, 0, strlen(relative), relative); }

void trace_said(const void *bytes, size_t length) { record(FAULT_SHIM_SAID, 0, 0, length, bytes); }

void trace_mapped(int descriptor, void *start, size_t length, off_t offset) {
    if (trace < 0) return;
    for (int map = 0; map < MAPS; map++) {
        if (maps[map].start) continue;
        maps[map].seen = malloc(length);
        memcpy(maps[map].seen, start, length);
        maps[map].file = open_files[descriptor].file;
        maps[map].start = start;
        maps[map].length = length;
        maps[map].offset = offset;
        return;
    }
    abort();
}

void trace_unmapped(void *start) {
    if (trace < 0) return;
    look_at_maps();
    for (int map = 0; map < MAPS; map++) {
        if (maps[map].start != start) continue;
        free(maps[map].seen);
        memset(&maps[map], 0, sizeof maps[map]);
    }
}

void trace_map_synced(void *start, size_t length) {
    for (int map = 0; map < MAPS; map++) {
        char *first = start;
        if (!maps[map].start || first < maps[map].start || first >= maps[map].start + maps[map].length) continue;
        uint64_t offset = (uint64_t)(maps[map].offset + (first - maps[map].start));
        record(FAULT_SHIM_SYNC, maps[map].file, offset, length, NULL);
    }
}
