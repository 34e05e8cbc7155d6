// A signal handler that removes files. It is not Swift: what the compiler makes of a few lines there may take memory, for example to look up a type
// the first time. If the signal came while the program took some itself, it would wait for itself for ever.
#ifndef YAP_CSIGNALS_SHIM_H
#define YAP_CSIGNALS_SHIM_H

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

// The files and then their folders, ended by NULL; the names stay as long as the program.
static char *const *volatile yap_unfinished_files = NULL;

static void yap_remove_unfinished_files(int number) {
    for (char *const *name = yap_unfinished_files; name && *name; name++)
        if (unlink(*name) != 0) rmdir(*name);
    _exit(128 + number);
}

// Returns the handler for the files. Call it before the handler is set.
static inline void (*yap_remover_of_files(char *const *files))(int) {
    yap_unfinished_files = files;
    return yap_remove_unfinished_files;
}

#endif
