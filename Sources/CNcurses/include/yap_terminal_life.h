#ifndef YAP_TERMINAL_LIFE_H
#define YAP_TERMINAL_LIFE_H

// What must happen to the terminal when the process ends, whichever way it ends. A signal handler may not enter the
// Swift runtime, so this part is C.

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

enum { YAP_LEAVE_LIMIT = 512 };

// Remembers how to leave: the bytes to write to the descriptor and the settings to put back. Call it before the
// terminal is changed, and before yap_terminal_entered.
void yap_terminal_prepare(int descriptor, const struct termios *shell, const char *leave, size_t length);

// From here on yap_terminal_leave has something to undo. Messages to standard error are held back until then where
// they would end up in the middle of the screen.
void yap_terminal_entered(void);

// Leaves the terminal if it is entered; safe in a signal handler and in atexit. `discard_input` drops what was typed
// or reported but not yet read. Says whether this call left it.
bool yap_terminal_leave(bool discard_input);

// Leaves the terminal at exit() and before the process dies of a fault, a trap, abort, or any signal whose default
// action ends it.
void yap_terminal_leave_on_every_exit(void);

// Whether a signal is ending the process: the terminal is left, and nothing may be written to it any more.
bool yap_terminal_is_ending(void);

#endif
