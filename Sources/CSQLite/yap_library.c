#include "yap_library.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "yap_mutex.h"

// SQLite's mutexes on POSIX threads, as its own are, but they wait as yap_mutex_lock does.
struct sqlite3_mutex {
    pthread_mutex_t lock;
};

enum { first_static = SQLITE_MUTEX_STATIC_MAIN, static_count = SQLITE_MUTEX_STATIC_VFS3 - first_static + 1 };
static struct sqlite3_mutex statics[static_count] = {[0 ... static_count - 1] = {PTHREAD_MUTEX_INITIALIZER}};

static int begin(void) { return SQLITE_OK; }
static int end(void) { return SQLITE_OK; }

static struct sqlite3_mutex *make(int kind) {
    if (kind >= first_static) return kind < first_static + static_count ? &statics[kind - first_static] : NULL;
    struct sqlite3_mutex *mutex = malloc(sizeof *mutex);
    pthread_mutexattr_t attributes;
    if (!mutex || pthread_mutexattr_init(&attributes) != 0) {
        free(mutex);
        return NULL;
    }
    if (kind == SQLITE_MUTEX_RECURSIVE) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    int status = pthread_mutex_init(&mutex->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    if (status == 0) return mutex;
    free(mutex);
    return NULL;
}

static void release(struct sqlite3_mutex *mutex) {
    pthread_mutex_destroy(&mutex->lock);
    free(mutex);
}

static void enter(struct sqlite3_mutex *mutex) { yap_mutex_lock(&mutex->lock); }
static int try_enter(struct sqlite3_mutex *mutex) {
    return pthread_mutex_trylock(&mutex->lock) == 0 ? SQLITE_OK : SQLITE_BUSY;
}
static void leave(struct sqlite3_mutex *mutex) { pthread_mutex_unlock(&mutex->lock); }
// Asked by SQLite's assertions only, in builds for its own tests.
static int unknown(struct sqlite3_mutex *mutex) { return mutex != NULL; }

void yap_configure_library(void) {
    static const sqlite3_mutex_methods mutexes = {
        .xMutexInit = begin, .xMutexEnd = end, .xMutexAlloc = make, .xMutexFree = release,
        .xMutexEnter = enter, .xMutexTry = try_enter, .xMutexLeave = leave, .xMutexHeld = unknown, .xMutexNotheld = unknown,
    };
    // Counters of memory have one lock for the whole process, which every allocation takes.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    // A library without threads has its own mutexes, which do nothing.
    if (sqlite3_threadsafe()) sqlite3_config(SQLITE_CONFIG_MUTEX, &mutexes);
}
