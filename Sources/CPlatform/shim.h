// The functions of the system that the Platform target uses and the Glibc module omits.
#include <iconv.h>
#include <malloc.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// glibc declares `fallocate` only with `_GNU_SOURCE`, which the importers of a module cannot set.
int fallocate(int descriptor, int mode, off_t offset, off_t length);
