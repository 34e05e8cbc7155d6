#define _GNU_SOURCE
#include "yap_terminal_life.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { OUTSIDE, INSIDE, LEAVING };
// The most held bytes. A program that writes endlessly to standard error still leaves quickly, with its last messages.
enum { HELD_MESSAGES_LIMIT = 64 * 1024, CRASH_STACK_SIZE = 64 * 1024 };
// The longest wait for a terminal that accepts no output, because the process must end.
enum { PATIENCE_MILLISECONDS = 500 };
// The longest that a program that was told to quit still runs, and the most places of its trace.
enum { QUIT_MILLISECONDS = 900, TRACE_LIMIT = 64 };

static const int crash_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGQUIT};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0] };
// The signals whose default action ends the process and that the event loop does not read. Real-time signals follow
// them.
static const int ending_signals[] = {SIGUSR1, SIGUSR2, SIGALRM,   SIGVTALRM, SIGPROF, SIGXCPU,
                                     SIGXFSZ, SIGPIPE, SIGSTKFLT, SIGIO,     SIGPWR};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

static atomic_int state = OUTSIDE;
static atomic_bool ending = false;
static atomic_bool title_saved = false;
static const char restore_title[] = "\x1b[23;2t";
static int terminal = -1;
static struct termios shell_settings;
static char leave_bytes[YAP_LEAVE_LIMIT];
static size_t leave_length;
// Whether the terminal took nothing for as long as it is waited for. It is not waited for again.
static atomic_bool is_stuck = false;
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
static void quit(void);
static void out_of_time(int number);
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
    atomic_store(&is_stuck, false);
    // A background process would be stopped when it accesses the terminal.
    sigset_t touch, before;
    sigemptyset(&touch);
    sigaddset(&touch, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &touch, &before);
    write_all(terminal, leave_bytes, leave_length);
    if (atomic_exchange(&title_saved, false)) write_all(terminal, restore_title, sizeof restore_title - 1);
    if (discard_input) tcflush(terminal, TCIFLUSH);
    tcsetattr(terminal, TCSANOW, &shell_settings);
    release_messages();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    atomic_store(&state, OUTSIDE);
    return true;
}

bool yap_terminal_set_title_saved(bool saved) { return atomic_exchange(&title_saved, saved); }

void yap_terminal_leave_on_every_exit(void) {
    static bool installed = false;
    if (installed) return;
    installed = true;
    atexit(leave_at_exit);

    // The first trace loads a library.
    void *place;
    backtrace(&place, 1);
    // A separate stack, because the fault may be a stack overflow.
    static char crash_stack[CRASH_STACK_SIZE];
    const stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        sigaction(crash_signals[i], &action, &before_crash[i]);
        // An ignored signal, such as SIGQUIT in a shell's background, ends nothing and so must not leave the terminal.
        if (before_crash[i].sa_handler == SIG_IGN) sigaction(crash_signals[i], &before_crash[i], NULL);
    }
    for (int i = 0; i < ENDING_SIGNALS; i++) leave_on_ending_signal(ending_signals[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) leave_on_ending_signal(number);
}

bool yap_terminal_is_ending(void) { return atomic_load(&ending); }

static void leave_on_ending_signal(int number) {
    struct sigaction before;
    // A signal that is ignored or handled does not end the process.
    if (sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL) return;
    struct sigaction action = {.sa_handler = ended, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void leave_at_exit(void) { yap_terminal_leave(true); }

static void leave_before_death(void) {
    // The main thread may run for another moment, and must not draw.
    atomic_store(&ending, true);
    if (yap_terminal_leave(false)) return;
    // Two threads may crash at the same time: if one ended the process before the other has left the terminal, it would
    // stay half restored.
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
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    if (number == SIGQUIT) return quit();
    leave_before_death();
    const struct sigaction *before = &by_default;
    for (int i = 0; i < CRASH_SIGNALS; i++) {
        if (crash_signals[i] == number) before = &before_crash[i];
    }
    // A fault happens again when the handler returns, at the place where a core file and a debugger should see it. A
    // signal that was sent by kill or abort, or that skipped its instruction, must be sent again.
    bool happens_again = information->si_code > 0 && number != SIGTRAP && number != SIGQUIT;
    if (happens_again) sigaction(number, before, NULL);
    else die(number, before);
}

// Ctrl-\ is the way out of a program that hangs, in a terminal that may hang too. Swift's backtracer, which handles this signal where it is
// installed, would ask for a key there and wait for half a minute: the trace is written without it.
static void quit(void) {
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    struct sigaction end = {.sa_handler = out_of_time};
    sigfillset(&end.sa_mask);
    const struct itimerval limit = {.it_value = {.tv_usec = QUIT_MILLISECONDS * 1000}};
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigaction(SIGALRM, &end, NULL);
    setitimer(ITIMER_REAL, &limit, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
    void *places[TRACE_LIMIT];
    int count = backtrace(places, TRACE_LIMIT);
    leave_before_death();
    static const char title[] = "Quit. This thread was at:\n";
    if (!atomic_load(&is_stuck) || !isatty(STDERR_FILENO)) {
        write_all(STDERR_FILENO, title, sizeof title - 1);
        backtrace_symbols_fd(places, count, STDERR_FILENO);
    }
    die(SIGQUIT, &by_default);
}

// The time is over, because the terminal accepts no output or the machine is busy: its settings need neither, so it gets them back.
static void out_of_time(int number) {
    (void)number;
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    if (atomic_load(&state) != OUTSIDE) tcsetattr(terminal, TCSANOW, &shell_settings);
    die(SIGQUIT, &by_default);
}

// Sends the signal again at once. In a handler all signals are blocked, and a pending one would be delivered only after
// it, to a process that continues until then. The previous handler may return, as Swift's backtracer does after
// printing: then the default action ends the process. That handler may read unmapped memory, so it needs the other
// crash signals unblocked as well.
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
    while (count > 0 && !(atomic_load(&is_stuck) && isatty(descriptor))) {
        ssize_t written = write(descriptor, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd room = {.fd = descriptor, .events = POLLOUT};
            if (poll(&room, 1, PATIENCE_MILLISECONDS) <= 0) {
                atomic_store(&is_stuck, true);
                return;
            }
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
