#ifndef YAP_CMALLOC_SHIM_H
#define YAP_CMALLOC_SHIM_H

// Swift's Glibc module lacks mallopt.
#include <malloc.h>

#endif
