#define _GNU_SOURCE
#include "yap_terminal_life.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { OUTSIDE, INSIDE, LEAVING };
// A program that writes without end to standard error still leaves quickly, with its last words.
enum { HELD_MESSAGES_LIMIT = 64 * 1024, CRASH_STACK_SIZE = 64 * 1024 };
// A terminal that takes nothing for so long is not waited for: the process has to end.
enum { PATIENCE_MILLISECONDS = 500 };

static const int crash_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGQUIT};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0] };

static atomic_int state = OUTSIDE;
static int terminal = -1;
static struct termios shell_settings;
static char leave_bytes[YAP_LEAVE_LIMIT];
static size_t leave_length;
static int held_messages = -1;
static int real_stderr = -1;
static struct sigaction before_crash[CRASH_SIGNALS];

static void write_all(int descriptor, const char *bytes, size_t count);
static void hold_messages(void);
static void release_messages(void);
static void leave_at_exit(void);
static void crashed(int number, siginfo_t *information, void *context);

void yap_terminal_prepare(int descriptor, const struct termios *shell, const char *leave, size_t length) {
    terminal = descriptor;
    shell_settings = *shell;
    leave_length = length < YAP_LEAVE_LIMIT ? length : YAP_LEAVE_LIMIT;
    memcpy(leave_bytes, leave, leave_length);
}

void yap_terminal_entered(void) {
    hold_messages();
    atomic_store(&state, INSIDE);
}

bool yap_terminal_leave(bool discard_input) {
    int inside = INSIDE;
    if (!atomic_compare_exchange_strong(&state, &inside, LEAVING)) return false;
    int error = errno;
    // A process in the background would be stopped for touching the terminal.
    sigset_t touch, before;
    sigemptyset(&touch);
    sigaddset(&touch, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &touch, &before);
    write_all(terminal, leave_bytes, leave_length);
    if (discard_input) tcflush(terminal, TCIFLUSH);
    tcsetattr(terminal, TCSANOW, &shell_settings);
    release_messages();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    atomic_store(&state, OUTSIDE);
    return true;
}

void yap_terminal_leave_on_every_exit(void) {
    static bool installed = false;
    if (installed) return;
    installed = true;
    atexit(leave_at_exit);

    // A stack of its own, for the fault may be that the stack is used up.
    static char crash_stack[CRASH_STACK_SIZE];
    const stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        sigaction(crash_signals[i], &action, &before_crash[i]);
        // What is ignored, as SIGQUIT is in the background of a shell, ends nothing and so must leave nothing.
        if (before_crash[i].sa_handler == SIG_IGN) sigaction(crash_signals[i], &before_crash[i], NULL);
    }
}

static void leave_at_exit(void) { yap_terminal_leave(true); }

static void crashed(int number, siginfo_t *information, void *context) {
    (void)context;
    if (!yap_terminal_leave(false)) {
        // Two threads may crash together: dying before the other has left the terminal would leave it half left.
        const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};
        for (int i = 0; i < 50 && atomic_load(&state) == LEAVING; i++) nanosleep(&moment, NULL);
    }
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        if (crash_signals[i] == number) sigaction(number, &before_crash[i], NULL);
    }
    // A fault happens again when the handler returns, in the place where a core file and a debugger should see it.
    // What was sent by kill or abort, or stepped over its instruction, must be sent again.
    bool happens_again = information->si_code > 0 && number != SIGTRAP && number != SIGQUIT;
    if (!happens_again) raise(number);
}

static void write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd room = {.fd = descriptor, .events = POLLOUT};
            if (poll(&room, 1, PATIENCE_MILLISECONDS) <= 0) return;
        } else if (errno != EINTR) {
            return;
        }
    }
}

static void hold_messages(void) {
    if (!isatty(STDERR_FILENO) || held_messages >= 0) return;
    held_messages = memfd_create("messages", MFD_CLOEXEC);
    if (held_messages < 0) return;
    real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    dup2(held_messages, STDERR_FILENO);
}

static void release_messages(void) {
    if (held_messages < 0) return;
    dup2(real_stderr, STDERR_FILENO);
    off_t size = lseek(held_messages, 0, SEEK_END);
    off_t start = size > HELD_MESSAGES_LIMIT ? size - HELD_MESSAGES_LIMIT : 0;
    char bytes[1024];
    ssize_t count;
    while ((count = pread(held_messages, bytes, sizeof bytes, start)) > 0) {
        write_all(STDERR_FILENO, bytes, (size_t)count);
        start += count;
    }
    close(held_messages);
    close(real_stderr);
    held_messages = -1;
    real_stderr = -1;
}
