#include "yap_mutex.h"

// Tells the processor that the thread waits for another one.
static void pause_processor(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

enum { attempts = 40, pauses = 8 };

void yap_mutex_lock(pthread_mutex_t *mutex) {
    for (int attempt = 0; attempt < attempts; attempt++) {
        if (pthread_mutex_trylock(mutex) == 0) return;
        for (int pause = 0; pause < pauses; pause++) pause_processor();
    }
    pthread_mutex_lock(mutex);
}
