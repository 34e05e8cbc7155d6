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
// Their default action ends the process, and the event loop does not read them. Those for real time follow them.
static const int ending_signals[] = {SIGUSR1, SIGUSR2, SIGALRM,   SIGVTALRM, SIGPROF, SIGXCPU,
                                     SIGXFSZ, SIGPIPE, SIGSTKFLT, SIGIO,     SIGPWR};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

static atomic_int state = OUTSIDE;
static atomic_bool ending = false;
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
static void leave_on_ending_signal(int number);
static void ended(int number);
static void crashed(int number, siginfo_t *information, void *context);
static void die(int number, const struct sigaction *before);

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
    for (int i = 0; i < ENDING_SIGNALS; i++) leave_on_ending_signal(ending_signals[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) leave_on_ending_signal(number);
}

bool yap_terminal_is_ending(void) { return atomic_load(&ending); }

static void leave_on_ending_signal(int number) {
    struct sigaction before;
    // What is ignored or handled does not end the process.
    if (sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL) return;
    struct sigaction action = {.sa_handler = ended, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void leave_at_exit(void) { yap_terminal_leave(true); }

static void leave_before_death(void) {
    // The main thread may go on for a moment, and draws nothing more.
    atomic_store(&ending, true);
    if (yap_terminal_leave(false)) return;
    // Two threads may crash together: dying before the other has left the terminal would leave it half left.
    const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};
    for (int i = 0; i < 50 && atomic_load(&state) == LEAVING; i++) nanosleep(&moment, NULL);
}

static void ended(int number) {
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    leave_before_death();
    die(number, &by_default);
}

static void crashed(int number, siginfo_t *information, void *context) {
    (void)context;
    leave_before_death();
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    const struct sigaction *before = &by_default;
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        if (crash_signals[i] == number) before = &before_crash[i];
    }
    // A fault happens again when the handler returns, in the place where a core file and a debugger should see it.
    // What was sent by kill or abort, or stepped over its instruction, must be sent again.
    bool happens_again = information->si_code > 0 && number != SIGTRAP && number != SIGQUIT;
    if (happens_again) sigaction(number, before, NULL);
    else die(number, before);
}

// Sends the signal again, here and now: in a handler all signals are blocked, and one that is pending would be delivered
// only after it, to a process that goes on until then. The handler of before may return, as that of Swift's backtraces
// does when it has printed: then the default action ends the process. That handler reads memory that may be missing, so
// it needs the other crash signals as well.
static void die(int number, const struct sigaction *before) {
    sigset_t fatal;
    sigemptyset(&fatal);
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        sigaction(crash_signals[i], &before_crash[i], NULL);
        sigaddset(&fatal, crash_signals[i]);
    }
    sigaddset(&fatal, number);
    sigaction(number, before, NULL);
    pthread_sigmask(SIG_UNBLOCK, &fatal, NULL);
    raise(number);
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigaction(number, &by_default, NULL);
    raise(number);
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
