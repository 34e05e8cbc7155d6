#ifndef YAP_MUTEX_H
#define YAP_MUTEX_H

#include <pthread.h>

// Locks a mutex that others hold for about a microsecond. POSIX's own call puts a thread that finds one taken to sleep at once, and on
// a machine with busy processors it then waits for its turn, a hundred times as long. This one tries for 10 to 20 µs before it sleeps.
// glibc's adaptive mutexes, which do the same, give up too soon where a mutex is held during a call of the system.
void yap_mutex_lock(pthread_mutex_t *mutex);

#endif
