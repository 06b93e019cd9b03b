// Declarations that the files of the shim share.
#ifndef SHIM_H
#define SHIM_H

#include "FaultShim.h"
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

// Plan.c: the fault plan. All functions except `plan_read` are called with the lock held.
enum action {
    ACTION_NONE, ACTION_KILL_BEFORE, ACTION_KILL_AFTER, ACTION_KILL_WITHIN,
    ACTION_FAIL, ACTION_FAIL_AFTER, ACTION_SHORT, ACTION_SWALLOW,
};
enum kind { KIND_ANY, KIND_WRITE, KIND_SYNC, KIND_SIZE, KIND_NAME, KIND_OPEN };
void plan_read(void);
enum action plan_begin(enum kind step);
void plan_end(enum action taken);
int plan_error(void);

// Trace.c: the watched files, and the record of the operations on them. All functions except `trace_read`,
// `trace_relative` and `trace_file` are called with the lock held.
void trace_read(void);
// Returns the path relative to the root, or NULL if it is not below the root.
const char *trace_relative(const char *path);
void trace_opened(int descriptor, const char *relative, int flags, int is_new);
void trace_closed(int descriptor);
// Returns the number of the open file, 0 if it is not watched, or -1 for a folder.
int trace_file(int descriptor);
int trace_writes_through(int descriptor);
void trace_wrote(int descriptor, off_t offset, const struct iovec *parts, int count, size_t length);
void trace_synced(int descriptor);
void trace_sync_failed(int descriptor);
void trace_sized(int descriptor, off_t size);
void trace_renamed(const char *from, const char *to);
void trace_unlinked(const char *relative);
void trace_made_folder(const char *relative);
void trace_said(const void *bytes, size_t length);
void trace_mapped(int descriptor, void *start, size_t length, off_t offset);
void trace_unmapped(void *start);
void trace_map_synced(void *start, size_t length);
// Invalidates the number of the file at a path; called before the file is unlinked or replaced.
void trace_forget(const char *path);

// Shim.c: the real functions that the other files need.
ssize_t real_write(int descriptor, const void *bytes, size_t length);
int real_open(const char *path, int flags, int mode);
int real_close(int descriptor);

#endif
