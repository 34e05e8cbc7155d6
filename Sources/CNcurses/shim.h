#ifndef YAP_CNCURSES_SHIM_H
#define YAP_CNCURSES_SHIM_H

// Without this, curses.h declares no wide-character function.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#endif
