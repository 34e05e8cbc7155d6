#define _GNU_SOURCE
#include "yap_events.h"

#include <math.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static sigset_t set_of(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    return set;
}

void yap_block_signals(const int *signals, int count) {
    const sigset_t set = set_of(signals, count);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void yap_unblock_signals(const int *signals, int count) {
    const sigset_t set = set_of(signals, count);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

bool yap_is_signal_blocked(int number) {
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    return sigismember(&set, number) == 1;
}

int yap_signal_descriptor(const int *signals, int count) {
    const sigset_t set = set_of(signals, count);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int yap_next_signal(int descriptor) {
    struct signalfd_siginfo information;
    ssize_t size = read(descriptor, &information, sizeof information);
    return size == sizeof information ? (int)information.ssi_signo : 0;
}

void yap_stop(bool group) {
    const int stop = SIGTSTP;
    const sigset_t set = set_of(&stop, 1);
    sigset_t before;
    kill(group ? 0 : getpid(), SIGTSTP);
    // The signal is pending. Unblocking delivers it: the process stops inside this call and continues here.
    pthread_sigmask(SIG_UNBLOCK, &set, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    // Consumes the SIGCONT.
    const int go_on = SIGCONT;
    const sigset_t awaited = set_of(&go_on, 1);
    const struct timespec no_time = {0};
    sigtimedwait(&awaited, NULL, &no_time);
}

int yap_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void yap_wake(int descriptor) {
    const uint64_t one = 1;
    // Fails only if the counter is full, and then the reader is awake already.
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written;
}

void yap_clear_wake(int descriptor) {
    uint64_t count;
    ssize_t size = read(descriptor, &count, sizeof count);
    (void)size;
}

int yap_memory_file(void) { return memfd_create("frame", MFD_CLOEXEC); }

int yap_poll(struct pollfd *descriptors, int count, double seconds) {
    if (seconds < 0) return ppoll(descriptors, (nfds_t)count, NULL, NULL);
    // At most a day, which every time_t holds.
    const double limited = fmin(seconds, 86400);
    const double whole = floor(limited);
    const struct timespec limit = {.tv_sec = (time_t)whole, .tv_nsec = (long)((limited - whole) * 1e9)};
    return ppoll(descriptors, (nfds_t)count, &limit, NULL);
}
