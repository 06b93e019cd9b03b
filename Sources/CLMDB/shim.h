// The C declarations that only the LMDB target uses: LMDB itself, and system calls that the Glibc module omits.
#include <lmdb.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// glibc declares `fallocate` only with `_GNU_SOURCE`, which the importers of a module cannot set.
int fallocate(int descriptor, int mode, off_t offset, off_t length);
