#ifndef YAP_CSPAWN_SHIM_H
#define YAP_CSPAWN_SHIM_H

#include <spawn.h>

// Swift's Glibc module leaves out what glibc shows only to _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int lowest);

#endif
