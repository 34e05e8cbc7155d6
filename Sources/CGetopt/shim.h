#ifndef YAP_CGETOPT_SHIM_H
#define YAP_CGETOPT_SHIM_H

// Swift's Glibc module leaves getopt_long out, and Swift 6 refuses the globals that it answers with.
#include <getopt.h>

static inline const char *yap_option_argument(void) { return optarg; }
static inline int yap_option_index(void) { return optind; }
static inline int yap_option_refused(void) { return optopt; }
static inline void yap_option_restart(void) { optind = 0; opterr = 0; }

#endif
