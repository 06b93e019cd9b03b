// Functions that replace those of the C library.
//
// One lock covers each step and its record, so that the trace has the steps in the order in which they happened.
#define _GNU_SOURCE
#include "Shim.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The real function, looked up at its first use because other libraries call the shim before its constructor runs.
#define REAL(name) ((__typeof__(&name))real(&real_of_##name, #name))
static void *real(void **known, const char *name) {
    if (!*known) *known = dlsym(RTLD_NEXT, name);
    return *known;
}
static void *real_of_open, *real_of_openat, *real_of_close, *real_of_write, *real_of_writev, *real_of_pwrite,
    *real_of_pwritev, *real_of_fsync, *real_of_fdatasync, *real_of_ftruncate, *real_of_posix_fallocate, *real_of_fallocate,
    *real_of_rename, *real_of_unlink, *real_of_rmdir, *real_of_mkdir, *real_of_mmap, *real_of_munmap, *real_of_msync;

__attribute__((constructor)) static void start(void) {
    plan_read();
    trace_read();
}

ssize_t real_write(int descriptor, const void *bytes, size_t length) {
    return REAL(write)(descriptor, bytes, length);
}

int real_open(const char *path, int flags, int mode) { return REAL(open)(path, flags, mode); }

int real_close(int descriptor) { return REAL(close)(descriptor); }

// Performs one step: evaluates the plan, makes the call and records it. `call` is evaluated at most once.
#define STEP(kind, type, call, recording)                                       \
    ({                                                                          \
        pthread_mutex_lock(&lock);                                              \
        enum action action = plan_begin(kind);                                  \
        type result = 0;                                                        \
        if (action == ACTION_FAIL || (action == ACTION_SHORT)) {                \
            result = -1;                                                        \
            errno = plan_error();                                               \
        } else if (action != ACTION_SWALLOW) {                                  \
            result = (call);                                                    \
            int kept = errno;                                                   \
            if (result >= 0) recording;                                         \
            plan_end(action);                                                   \
            errno = kept;                                                       \
            if (action == ACTION_FAIL_AFTER && result >= 0) {                   \
                result = -1;                                                    \
                errno = plan_error();                                           \
            }                                                                   \
        }                                                                       \
        pthread_mutex_unlock(&lock);                                            \
        result;                                                                 \
    })

// MARK: Opening

static int open_watched(int folder, const char *path, int flags, int mode) {
    static const char boot_id[] = "/proc/sys/kernel/random/boot_id";
    const char *boot = getenv("HEALTHJOURNAL_FAULT_BOOT");
    if (boot && strcmp(path, boot_id) == 0) path = boot;
    const char *relative = trace_relative(path);
    if (!relative) return REAL(openat)(folder, path, flags, mode);
    pthread_mutex_lock(&lock);
    int result = -1;
    int is_new = (flags & O_CREAT) && access(path, F_OK) != 0;
    // Creating a file is a change of its folder and is counted as a change of a name; a failing open is a separate
    // fault.
    enum action opening = plan_begin(KIND_OPEN), naming = is_new ? plan_begin(KIND_NAME) : ACTION_NONE;
    if (opening == ACTION_FAIL || naming == ACTION_FAIL) {
        errno = plan_error();
    } else {
        result = REAL(openat)(folder, path, flags, mode);
        int kept = errno;
        if (result >= 0) trace_opened(result, relative, flags, is_new);
        plan_end(naming);
        errno = kept;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_watched(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_watched(folder, path, flags, mode);
}

int close(int descriptor) {
    pthread_mutex_lock(&lock);
    trace_closed(descriptor);
    int result = REAL(close)(descriptor);
    pthread_mutex_unlock(&lock);
    return result;
}

// MARK: Writing

// Stores the parts that cover the first `length` bytes in `kept`, and returns their number.
static int first_parts(const struct iovec *parts, int count, size_t length, struct iovec *kept) {
    int part = 0;
    for (; part < count && length > 0; part++) {
        kept[part] = parts[part];
        if (kept[part].iov_len > length) kept[part].iov_len = length;
        length -= kept[part].iov_len;
    }
    return part;
}

// Handles all writes to watched files; offset -1 means the current position of the file.
static ssize_t write_watched(int descriptor, const struct iovec *parts, int count, off_t offset) {
    struct iovec kept[1024];
    size_t length = 0;
    for (int part = 0; part < count; part++) length += parts[part].iov_len;
    pthread_mutex_lock(&lock);
    enum action action = plan_begin(KIND_WRITE);
    ssize_t result = -1;
    if (action == ACTION_FAIL) {
        errno = plan_error();
    } else if (action == ACTION_SWALLOW) {
        result = (ssize_t)length;
    } else {
        if (action == ACTION_SHORT || action == ACTION_KILL_WITHIN) length /= 2;
        int kept_count = first_parts(parts, count, length, kept);
        off_t at = offset < 0 ? lseek(descriptor, 0, SEEK_CUR) : offset;
        result = offset < 0 ? REAL(writev)(descriptor, kept, kept_count)
                            : REAL(pwritev)(descriptor, kept, kept_count, offset);
        int error = errno;
        if (result > 0) trace_wrote(descriptor, at, kept, kept_count, (size_t)result);
        plan_end(action);
        errno = error;
        if (action == ACTION_FAIL_AFTER) {
            result = -1;
            errno = plan_error();
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
    struct iovec part = {(void *)bytes, length};
    if (trace_file(descriptor) > 0) return write_watched(descriptor, &part, 1, -1);
    if (descriptor != STDOUT_FILENO) return REAL(write)(descriptor, bytes, length);
    // A printed line may acknowledge that data is on the disk, so it is recorded before a reader can receive it.
    pthread_mutex_lock(&lock);
    trace_said(bytes, length);
    ssize_t result = REAL(write)(descriptor, bytes, length);
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (trace_file(descriptor) > 0) return write_watched(descriptor, parts, count, -1);
    return REAL(writev)(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    struct iovec part = {(void *)bytes, length};
    if (trace_file(descriptor) > 0) return write_watched(descriptor, &part, 1, offset);
    return REAL(pwrite)(descriptor, bytes, length, offset);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    if (trace_file(descriptor) > 0) return write_watched(descriptor, parts, count, offset);
    return REAL(pwritev)(descriptor, parts, count, offset);
}

// MARK: Syncing and sizes

static int sync_watched(int descriptor, int (*call)(int)) {
    int result = STEP(KIND_SYNC, int, call(descriptor), trace_synced(descriptor));
    if (result == 0) return 0;
    int error = errno;
    pthread_mutex_lock(&lock);
    trace_sync_failed(descriptor);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int fsync(int descriptor) {
    return trace_file(descriptor) ? sync_watched(descriptor, REAL(fsync)) : REAL(fsync)(descriptor);
}

int fdatasync(int descriptor) {
    return trace_file(descriptor) ? sync_watched(descriptor, REAL(fdatasync)) : REAL(fdatasync)(descriptor);
}

int ftruncate(int descriptor, off_t size) {
    if (!trace_file(descriptor)) return REAL(ftruncate)(descriptor, size);
    return STEP(KIND_SIZE, int, REAL(ftruncate)(descriptor, size), trace_sized(descriptor, size));
}

// Returns the number of the error, as the real function does.
int posix_fallocate(int descriptor, off_t offset, off_t length) {
    if (!trace_file(descriptor)) return REAL(posix_fallocate)(descriptor, offset, length);
    int result = STEP(KIND_SIZE, int, -REAL(posix_fallocate)(descriptor, offset, length),
                      trace_sized(descriptor, offset + length));
    return result == -1 ? errno : -result;
}

// Allocating space within the file's size changes nothing that a power cut could undo.
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    struct stat status;
    if (!trace_file(descriptor) || (fstat(descriptor, &status) == 0 && offset + length <= status.st_size))
        return REAL(fallocate)(descriptor, mode, offset, length);
    return STEP(KIND_SIZE, int, REAL(fallocate)(descriptor, mode, offset, length),
                trace_sized(descriptor, offset + length));
}

// MARK: Names

int rename(const char *from, const char *to) {
    const char *old = trace_relative(from), *new = trace_relative(to);
    if (!old || !new) return REAL(rename)(from, to);
    return STEP(KIND_NAME, int, (trace_forget(to), REAL(rename)(from, to)), trace_renamed(old, new));
}

int unlink(const char *path) {
    const char *relative = trace_relative(path);
    if (!relative || access(path, F_OK) != 0) return REAL(unlink)(path);
    return STEP(KIND_NAME, int, (trace_forget(path), REAL(unlink)(path)), trace_unlinked(relative));
}

int rmdir(const char *path) {
    const char *relative = trace_relative(path);
    if (!relative || access(path, F_OK) != 0) return REAL(rmdir)(path);
    return STEP(KIND_NAME, int, REAL(rmdir)(path), trace_unlinked(relative));
}

int mkdir(const char *path, mode_t mode) {
    const char *relative = trace_relative(path);
    if (!relative || access(path, F_OK) == 0) return REAL(mkdir)(path, mode);
    return STEP(KIND_NAME, int, REAL(mkdir)(path, mode), trace_made_folder(relative));
}

// MARK: Maps

void *mmap(void *wanted, size_t length, int protection, int flags, int descriptor, off_t offset) {
    void *start = REAL(mmap)(wanted, length, protection, flags, descriptor, offset);
    if (start == MAP_FAILED || !(flags & MAP_SHARED) || !(protection & PROT_WRITE)) return start;
    int error = errno;
    pthread_mutex_lock(&lock);
    if (trace_file(descriptor) > 0) trace_mapped(descriptor, start, length, offset);
    pthread_mutex_unlock(&lock);
    errno = error;
    return start;
}

int munmap(void *start, size_t length) {
    pthread_mutex_lock(&lock);
    trace_unmapped(start);
    int result = REAL(munmap)(start, length);
    pthread_mutex_unlock(&lock);
    return result;
}

int msync(void *start, size_t length, int flags) {
    return STEP(KIND_SYNC, int, REAL(msync)(start, length, flags), trace_map_synced(start, length));
}

// The same functions under the 64-bit names of the large-file interface.
#define ALSO(type, name, arguments) type name arguments
ALSO(int, open64, (const char *path, int flags, ...)) __attribute__((alias("open")));
ALSO(int, openat64, (int folder, const char *path, int flags, ...)) __attribute__((alias("openat")));
ALSO(ssize_t, pwrite64, (int descriptor, const void *bytes, size_t length, off_t offset))
    __attribute__((alias("pwrite")));
ALSO(ssize_t, pwritev64, (int descriptor, const struct iovec *parts, int count, off_t offset))
    __attribute__((alias("pwritev")));
ALSO(int, ftruncate64, (int descriptor, off_t size)) __attribute__((alias("ftruncate")));
ALSO(int, fallocate64, (int descriptor, int mode, off_t offset, off_t length)) __attribute__((alias("fallocate")));
ALSO(int, posix_fallocate64, (int descriptor, off_t offset, off_t length)) __attribute__((alias("posix_fallocate")));
ALSO(void *, mmap64, (void *wanted, size_t length, int protection, int flags, int descriptor, off_t offset))
    __attribute__((alias("mmap")));
