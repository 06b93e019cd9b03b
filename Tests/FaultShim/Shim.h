// Shared by the parts of the shim.
#ifndef SHIM_H
#define SHIM_H

#include "FaultShim.h"
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

// Plan.c: what is to go wrong. All of it under the lock.
enum action {
    ACTION_NONE, ACTION_KILL_BEFORE, ACTION_KILL_AFTER, ACTION_KILL_WITHIN,
    ACTION_FAIL, ACTION_FAIL_AFTER, ACTION_SHORT, ACTION_SWALLOW,
};
enum kind { KIND_ANY, KIND_WRITE, KIND_SYNC, KIND_SIZE, KIND_NAME, KIND_OPEN };
void plan_read(void);
enum action plan_begin(enum kind step);
void plan_end(enum action taken);
int plan_error(void);

// Trace.c: which files are watched, and the record of what was done to them. All of it under the lock.
void trace_read(void);
// The path from the root, or NULL when it does not lie there.
const char *trace_relative(const char *path);
void trace_opened(int descriptor, const char *relative, int flags, int is_new);
void trace_closed(int descriptor);
// The number of the file that is open so, or 0; -1 for a folder.
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
// Whether a name that is about to go is that of a watched file; before it goes.
void trace_forget(const char *path);

// Shim.c: the real calls that the others need.
ssize_t real_write(int descriptor, const void *bytes, size_t length);
int real_open(const char *path, int flags, int mode);
int real_close(int descriptor);

#endif
