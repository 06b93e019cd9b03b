// The system calls of the Platform target that the Glibc module omits.
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// glibc declares `fallocate` only with `_GNU_SOURCE`, which the importers of a module cannot set.
int fallocate(int descriptor, int mode, off_t offset, off_t length);
