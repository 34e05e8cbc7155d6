#ifndef YAP_CGETOPT_SHIM_H
#define YAP_CGETOPT_SHIM_H

// Swift's Glibc module lacks getopt_long, and Swift 6 rejects the global variables in which it returns results.
#include <getopt.h>

static inline const char *yap_option_argument(void) { return optarg; }
static inline int yap_option_index(void) { return optind; }
static inline int yap_option_refused(void) { return optopt; }
static inline void yap_option_restart(void) { optind = 0; opterr = 0; }

#endif
