#ifndef YAP_CNCURSES_H
#define YAP_CNCURSES_H

// Without these, curses.h declares no wide-character function and wchar.h no wcwidth.
#define NCURSES_WIDECHAR 1
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include <curses.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <wchar.h>

#include "yap_events.h"
#include "yap_terminal_life.h"

// Macros with arguments or casts are not imported into Swift, and global variables are errors in Swift 6 mode.

static inline attr_t yap_attribute_bold(void) { return A_BOLD; }
static inline attr_t yap_attribute_dim(void) { return A_DIM; }
static inline attr_t yap_attribute_italic(void) { return A_ITALIC; }
static inline attr_t yap_attribute_underline(void) { return A_UNDERLINE; }
static inline attr_t yap_attribute_reverse(void) { return A_REVERSE; }

static inline WINDOW *yap_standard_window(void) { return stdscr; }
static inline int yap_lines(void) { return LINES; }
static inline int yap_columns(void) { return COLS; }
static inline int yap_colors(void) { return COLORS; }
static inline int yap_color_pairs(void) { return COLOR_PAIRS; }

// Marks the terminal's contents as unknown: the next doupdate paints everything.
static inline void yap_forget_terminal_contents(void) { clearok(curscr, TRUE); }

// tigetstr returns (char *)-1 for a name that is not a string capability.
static inline const char *yap_terminfo_string(const char *name) {
    const char *text = tigetstr((char *)name);
    return text == (const char *)-1 ? NULL : text;
}

static inline cchar_t yap_cell(wchar_t character, attr_t attributes, int pair) {
    cchar_t cell;
    const wchar_t text[2] = {character, 0};
    setcchar(&cell, text, attributes, 0, &pair);
    return cell;
}

// Replaces the text of a cell that yap_cell made and keeps its attributes and colours. A single character with a width
// needs none of the checks of setcchar.
static inline void yap_set_character(cchar_t *cell, wchar_t character) { cell->chars[0] = character; }

// `number` counts the marks on this cell from 1 to CCHARW_MAX - 1.
static inline void yap_add_mark(cchar_t *cell, wchar_t mark, int number) { cell->chars[number] = mark; }

static inline bool yap_window_size(int descriptor, int *width, int *height) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
    *width = size.ws_col;
    *height = size.ws_row;
    return true;
}

// libdispatch's interface for run loops: the descriptor is readable while the main queue has work, the callback runs
// that work. CoreFoundation's run loop uses these two functions, so they are as stable as Foundation.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

#endif
