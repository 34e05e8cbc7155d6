#include "yap_log_file.h"

#include <stdlib.h>
#include <string.h>

#include "yap_log_index.h"

// SQLite appends a page to its log as a frame: a header of 24 bytes, then the page, two writes. In the header of a commit's last frame the
// second number is not 0.
enum { header_size = 24, capacity = 1 << 16 };

// The memory that SQLite allocates for an open log: our struct, followed by that of the real file.
struct log_file {
    sqlite3_file base;
    unsigned char *gathered;
    sqlite3_int64 start;  // of the gathered bytes in the file
    sqlite3_int64 end;    // of all that was written since yap_log_begin
    int count;            // of gathered bytes
    int is_gathering;
    int is_after_header;
    int is_last;  // whether that header ends a commit
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs log_vfs;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct log_file *)file + 1); }

static int write_gathered(struct log_file *log) {
    if (!log->count) return SQLITE_OK;
    int count = log->count;
    // Whatever happens, the bytes are not written a second time: after an error the log's end may belong to another program.
    log->count = 0;
    sqlite3_file *file = real(&log->base);
    return file->pMethods->xWrite(file, log->gathered, count, log->start);
}

static int append(struct log_file *log, const void *bytes, int count, sqlite3_int64 offset) {
    if (log->count + count > capacity || offset != log->start + log->count) {
        int status = write_gathered(log);
        if (status != SQLITE_OK) return status;
    }
    if (!log->count) log->start = offset;
    memcpy(log->gathered + log->count, bytes, (size_t)count);
    log->count += count;
    log->end = offset + count;
    return SQLITE_OK;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    struct log_file *log = (struct log_file *)file;
    int is_page = log->is_after_header && offset == log->end && count <= capacity - header_size;
    // Headers that are written again, of earlier frames, are not appended.
    int is_header = !is_page && log->is_gathering && count == header_size && offset >= log->end;
    log->is_after_header = is_header;
    if (is_header) {
        unsigned pages;
        memcpy(&pages, (const unsigned char *)bytes + 4, sizeof pages);
        log->is_last = pages != 0;
    }
    if (is_header || is_page) {
        int status = append(log, bytes, count, offset);
        return status == SQLITE_OK && is_page && log->is_last ? write_gathered(log) : status;
    }
    int status = write_gathered(log);
    return status == SQLITE_OK ? real(file)->pMethods->xWrite(real(file), bytes, count, offset) : status;
}

// Everything else finds the file as SQLite has written it.

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int status = write_gathered((struct log_file *)file);
    return status == SQLITE_OK ? real(file)->pMethods->xRead(real(file), bytes, count, offset) : status;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int status = write_gathered((struct log_file *)file);
    return status == SQLITE_OK ? real(file)->pMethods->xTruncate(real(file), size) : status;
}

static int log_sync(sqlite3_file *file, int flags) {
    int status = write_gathered((struct log_file *)file);
    return status == SQLITE_OK ? real(file)->pMethods->xSync(real(file), flags) : status;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
    int status = write_gathered((struct log_file *)file);
    return status == SQLITE_OK ? real(file)->pMethods->xFileSize(real(file), size) : status;
}

static int log_close(sqlite3_file *file) {
    free(((struct log_file *)file)->gathered);
    return real(file)->pMethods->xClose(real(file));
}

static int log_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int log_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int log_is_reserved(sqlite3_file *file, int *answer) {
    return real(file)->pMethods->xCheckReservedLock(real(file), answer);
}
static int log_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int log_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int log_characteristics(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_is_reserved,
    .xFileControl = log_control,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_characteristics,
};

static int log_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
    (void)vfs;
    if (!(flags & SQLITE_OPEN_WAL)) {
        int status = real_vfs->xOpen(real_vfs, name, file, flags, flags_out);
        if (status == SQLITE_OK && flags & SQLITE_OPEN_MAIN_DB) yap_wait_for_log_index(file, name, real_vfs->szOsFile);
        return status;
    }
    memset(file, 0, sizeof(struct log_file));
    int status = real_vfs->xOpen(real_vfs, name, real(file), flags, flags_out);
    // SQLite closes a file that has methods, even after an error.
    if (real(file)->pMethods) file->pMethods = &log_methods;
    return status;
}

const char *yap_log_vfs(void) {
    if (log_vfs.zName) return log_vfs.zName;
    if (sqlite3_initialize() != SQLITE_OK) return 0;
    real_vfs = sqlite3_vfs_find(0);
    if (!real_vfs) return 0;
    // All functions but xOpen are the real one's, which finds its own data in pAppData.
    sqlite3_vfs copy = *real_vfs;
    copy.pNext = 0;
    copy.zName = "yap-log";
    copy.szOsFile = (int)sizeof(struct log_file) + real_vfs->szOsFile;
    copy.xOpen = log_open;
    log_vfs = copy;
    if (sqlite3_vfs_register(&log_vfs, 0) == SQLITE_OK) return log_vfs.zName;
    log_vfs.zName = 0;
    return 0;
}

// The handle's log; null if it has none, or one that was opened otherwise.
static struct log_file *log_of(sqlite3 *handle) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    return status == SQLITE_OK && file && file->pMethods == &log_methods ? (struct log_file *)file : 0;
}

void yap_log_begin(sqlite3 *handle) {
    struct log_file *log = log_of(handle);
    if (!log) return;
    if (!log->gathered) log->gathered = malloc(capacity);
    // Without memory each write goes to the file by itself.
    log->is_gathering = log->gathered != 0;
    log->end = 0;
}

int yap_log_end(sqlite3 *handle) {
    struct log_file *log = log_of(handle);
    if (!log) return 0;
    int dropped = log->count;
    log->is_gathering = log->is_after_header = log->count = 0;
    return dropped;
}
