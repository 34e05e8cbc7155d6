#ifndef YAP_CSPAWN_SHIM_H
#define YAP_CSPAWN_SHIM_H

#include <spawn.h>

// Swift's Glibc module lacks what glibc declares only for _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int lowest);

#endif
