#ifndef YAP_TERMINAL_LIFE_H
#define YAP_TERMINAL_LIFE_H

// Restores the terminal when the process ends, in whatever way. A signal handler may not enter the Swift runtime, so
// this part is C.

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

enum { YAP_LEAVE_LIMIT = 512 };

// Saves how to leave the terminal: the bytes to write to the descriptor and the settings to restore. Call it before the
// terminal is changed, and before yap_terminal_entered.
void yap_terminal_prepare(int descriptor, const struct termios *shell, const char *leave, size_t length);

// Declares the terminal entered, so that yap_terminal_leave restores it. From then until it is left, messages to
// standard error are held back if they would appear on the screen.
void yap_terminal_entered(void);

// Leaves the terminal if it is entered; safe in a signal handler and in atexit. `discard_input` drops unread input.
// Returns whether this call left it.
bool yap_terminal_leave(bool discard_input);

// Declares whether the terminal keeps its own title on its stack, so that leaving restores it. Returns what was declared
// before.
bool yap_terminal_set_title_saved(bool saved);

// Leaves the terminal at exit() and before the process dies of a fault, a trap, abort, or any signal whose default
// action ends it.
void yap_terminal_leave_on_every_exit(void);

// Whether a signal is ending the process: the terminal has been left, and nothing may be written to it.
bool yap_terminal_is_ending(void);

#endif
