#include "yap_log_index.h"

#include "yap_log_file.h"

#include <pthread.h>
#include <stdatomic.h>

#include "yap_mutex.h"

// One of these is taken before SQLite's own, which is then free, unless another part of the program has the file open too. Several files may
// share one.
enum { mutex_count = 16 };
static pthread_mutex_t mutexes[mutex_count] = {[0 ... mutex_count - 1] = PTHREAD_MUTEX_INITIALIZER};

static pthread_mutex_t setup = PTHREAD_MUTEX_INITIALIZER;
static const sqlite3_io_methods *real_methods;
static sqlite3_io_methods methods;
static int place;  // of the pointer to the mutex in a file

static pthread_mutex_t **mutex_of(sqlite3_file *file) { return (pthread_mutex_t **)((char *)file + place); }

static int lock(sqlite3_file *file, int offset, int count, int flags) {
    pthread_mutex_t *mutex = *mutex_of(file);
    yap_mutex_lock(mutex);
    int status = real_methods->xShmLock(file, offset, count, flags);
    pthread_mutex_unlock(mutex);
    return status;
}

static void barrier(sqlite3_file *file) {
    (void)file;
    atomic_thread_fence(memory_order_seq_cst);
}

void yap_wait_for_log_index(sqlite3_file *file, const char *name, int size) {
    const sqlite3_io_methods *found = file->pMethods;
    if (!name || !found || found->iVersion < 2 || !found->xShmLock || !found->xShmBarrier) return;
    pthread_mutex_lock(&setup);
    if (!real_methods) {
        methods = *found;
        methods.xShmLock = lock;
        methods.xShmBarrier = barrier;
        real_methods = found;
        place = (size + 7) & ~7;
    }
    pthread_mutex_unlock(&setup);
    // All files are locked in one way; another one would have methods of its own, which stay.
    if (found != real_methods) return;
    unsigned hash = 2166136261u;
    for (const char *letter = name; *letter; letter++) hash = (hash ^ (unsigned char)*letter) * 16777619u;
    *mutex_of(file) = &mutexes[hash % mutex_count];
    file->pMethods = &methods;
}

// Locks of the index: one each to write, to copy and to recover, and one for readers of the file alone. The others are of readers of the log.
// See SQLite's "WAL-mode File Format", section 2.3.
enum { writers = 0, first_reader = 4, reader_count = SQLITE_SHM_NLOCK - first_reader };

static int change_locks(sqlite3 *handle, int first, int count, int change) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods || file->pMethods->iVersion < 2) return 0;
    return file->pMethods->xShmLock(file, first, count, change | SQLITE_SHM_EXCLUSIVE) == SQLITE_OK;
}

int yap_log_has_readers(sqlite3 *handle) {
    if (!change_locks(handle, first_reader, reader_count, SQLITE_SHM_LOCK)) return 1;
    change_locks(handle, first_reader, reader_count, SQLITE_SHM_UNLOCK);
    return 0;
}

int yap_log_lock_writers(sqlite3 *handle) { return change_locks(handle, writers, 1, SQLITE_SHM_LOCK); }

void yap_log_unlock_writers(sqlite3 *handle) { change_locks(handle, writers, 1, SQLITE_SHM_UNLOCK); }
