#ifndef YAP_EVENTS_H
#define YAP_EVENTS_H

// Linux's descriptors for signals and wake-ups, which Swift's Glibc module lacks.

#include <poll.h>
#include <signal.h>
#include <stdbool.h>

// Blocks the signals in the calling thread and in every thread it starts later.
void yap_block_signals(const int *signals, int count);
// Unblocks the signals in the calling thread.
void yap_unblock_signals(const int *signals, int count);
bool yap_is_signal_blocked(int number);

// Returns a descriptor that is readable while one of the signals, all of them blocked, is pending. -1 and errno if
// there are no descriptors left.
int yap_signal_descriptor(const int *signals, int count);
// Returns the next pending signal, or 0.
int yap_next_signal(int descriptor);

// Stops this process, or its whole process group, as the default action of SIGTSTP does. Returns when it continues.
// Consumes the SIGCONT that continued it.
void yap_stop(bool group);

int yap_wake_descriptor(void);
void yap_wake(int descriptor);
void yap_clear_wake(int descriptor);

// Returns a descriptor of an unnamed file in memory. -1 and errno if there are no descriptors left.
int yap_memory_file(void);

// poll with a time-out in seconds; negative waits forever.
int yap_poll(struct pollfd *descriptors, int count, double seconds);

#endif
