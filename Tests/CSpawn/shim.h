// The functions of the system that the tests use and the Glibc module omits: glibc declares them only with
// `_GNU_SOURCE`, which the importers of a module cannot set.
#include <spawn.h>

int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
