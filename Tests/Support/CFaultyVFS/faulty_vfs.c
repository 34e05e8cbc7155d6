#include "faulty_vfs.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

static sqlite3_vfs *real_vfs;
static sqlite3_vfs faulty_vfs;

static atomic_int armed_kind = -1;
static atomic_int calls_left;
static atomic_int failures_left;
static atomic_int failures;

// Whether this call must fail.
static int fails(int kind) {
    if (atomic_load(&armed_kind) != kind) return 0;
    if (atomic_fetch_sub(&calls_left, 1) > 1) return 0;
    if (atomic_fetch_sub(&failures_left, 1) < 1) return 0;
    atomic_fetch_add(&failures, 1);
    return 1;
}

// Counts a step, before which the process may have to die.
static void step(void) {
    if (fails(FAULTY_KILL)) raise(SIGKILL);
}

// The memory that SQLite allocates for an open file: our struct, followed by that of the real one.
struct faulty_file {
    sqlite3_file base;
    sqlite3_io_methods methods;
};

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct faulty_file *)file + 1); }

static int faulty_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int faulty_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (fails(FAULTY_READ)) return SQLITE_IOERR_READ;
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int faulty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (fails(FAULTY_WRITE) || fails(FAULTY_FULL)) {
        int full = atomic_load(&armed_kind) == FAULTY_FULL;
        // Half of the bytes are written, as on a real disk.
        real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
        return full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    if (fails(FAULTY_KILL)) {
        real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
        raise(SIGKILL);
    }
    return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
    step();
    if (fails(FAULTY_TRUNCATE)) return SQLITE_IOERR_TRUNCATE;
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int faulty_sync(sqlite3_file *file, int flags) {
    step();
    if (fails(FAULTY_SYNC)) return SQLITE_IOERR_FSYNC;
    return real(file)->pMethods->xSync(real(file), flags);
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) {
    if (fails(FAULTY_SIZE)) return SQLITE_IOERR_FSTAT;
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int faulty_lock(sqlite3_file *file, int level) {
    if (fails(FAULTY_LOCK)) return SQLITE_IOERR_LOCK;
    return real(file)->pMethods->xLock(real(file), level);
}

static int faulty_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int faulty_is_reserved(sqlite3_file *file, int *answer) {
    return real(file)->pMethods->xCheckReservedLock(real(file), answer);
}

static int faulty_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int faulty_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int faulty_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int faulty_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **address) {
    if (fails(FAULTY_SHM_MAP)) {
        *address = 0;
        return SQLITE_IOERR_SHMMAP;
    }
    return real(file)->pMethods->xShmMap(real(file), region, size, extend, address);
}

static int faulty_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    step();
    // Releasing a lock does not fail.
    if ((flags & SQLITE_SHM_LOCK) && fails(FAULTY_SHM_LOCK)) return SQLITE_IOERR_SHMLOCK;
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void faulty_shm_barrier(sqlite3_file *file) {
    step();
    real(file)->pMethods->xShmBarrier(real(file));
}

static int faulty_shm_unmap(sqlite3_file *file, int remove) {
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}

static const sqlite3_io_methods faulty_methods = {
    // Version 2: without mapping of the file into memory, so that every read is a call here.
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_is_reserved,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector_size,
    .xDeviceCharacteristics = faulty_characteristics,
    .xShmMap = faulty_shm_map,
    .xShmLock = faulty_shm_lock,
    .xShmBarrier = faulty_shm_barrier,
    .xShmUnmap = faulty_shm_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
    (void)vfs;
    file->pMethods = 0;
    if (fails(FAULTY_OPEN)) return SQLITE_CANTOPEN;
    int status = real_vfs->xOpen(real_vfs, name, real(file), flags, flags_out);
    if (real(file)->pMethods) {
        struct faulty_file *ours = (struct faulty_file *)file;
        ours->methods = faulty_methods;
        if (real(file)->pMethods->iVersion < 2) ours->methods.iVersion = real(file)->pMethods->iVersion;
        ours->base.pMethods = &ours->methods;
    }
    return status;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    step();
    if (fails(FAULTY_DELETE)) return SQLITE_IOERR_DELETE;
    return real_vfs->xDelete(real_vfs, name, sync);
}

static int faulty_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
    (void)vfs;
    if (fails(FAULTY_ACCESS)) return SQLITE_IOERR_ACCESS;
    return real_vfs->xAccess(real_vfs, name, flags, answer);
}

int faulty_vfs_install(void) {
    int status = sqlite3_initialize();
    if (status != SQLITE_OK) return status;
    real_vfs = sqlite3_vfs_find(0);
    if (!real_vfs) return SQLITE_ERROR;
    // All functions that do not concern a file are the real one's, which finds its own data by its own address in
    // pAppData.
    faulty_vfs = *real_vfs;
    faulty_vfs.pNext = 0;
    faulty_vfs.zName = "faulty";
    faulty_vfs.szOsFile = (int)sizeof(struct faulty_file) + real_vfs->szOsFile;
    faulty_vfs.xOpen = faulty_open;
    faulty_vfs.xDelete = faulty_delete;
    faulty_vfs.xAccess = faulty_access;
    return sqlite3_vfs_register(&faulty_vfs, 1);
}

void faulty_vfs_arm(int kind, int number, int times) {
    atomic_store(&armed_kind, -1);
    atomic_store(&calls_left, number);
    atomic_store(&failures_left, times);
    atomic_store(&failures, 0);
    atomic_store(&armed_kind, kind);
}

int faulty_vfs_disarm(void) {
    atomic_store(&armed_kind, -1);
    return atomic_load(&failures);
}
