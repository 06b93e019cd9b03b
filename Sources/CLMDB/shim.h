// The C that the LMDB target alone calls: the engine, and statfs(2), which the Glibc module leaves out.
#include <lmdb.h>
#include <sys/vfs.h>
