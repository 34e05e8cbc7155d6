#include "yap_page_file.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The log has a header of 32 bytes, then frames: 24 bytes, whose first four are the page's number, and a page.
enum { log_header_size = 32, frame_header_size = 24, database_header_size = 100 };

// The memory that SQLite allocates for an open file: our struct, followed by that of the real file.
struct page_file {
    sqlite3_file base;
    // The log has that of its database.
    struct yap_page_decoder decoder;
    unsigned char *stored;
    unsigned char *plain;
};

static sqlite3_vfs decoded_vfs, decoded_none_vfs;
// Set while a handle is opened, when SQLite opens the database file.
static _Thread_local const struct yap_page_decoder *opening;
static _Thread_local int is_taken;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct page_file *)file + 1); }

static int is_empty(const unsigned char *bytes, int count) {
    for (int place = 0; place < count; place++) {
        if (bytes[place]) return 0;
    }
    return 1;
}

// Reads a stored page into `plain`.
static int read_page(struct page_file *file, unsigned page, sqlite3_int64 offset) {
    int size = file->decoder.page_size;
    int status = real(&file->base)->pMethods->xRead(real(&file->base), file->stored, size, offset);
    // A page that is cut off, or one that was never written.
    if (status == SQLITE_IOERR_SHORT_READ || (status == SQLITE_OK && is_empty(file->stored, size))) {
        memset(file->plain, 0, (size_t)size);
        return status;
    }
    if (status != SQLITE_OK) return status;
    return file->decoder.decode(file->decoder.context, page, file->stored, file->plain) ? SQLITE_OK : SQLITE_IOERR_DATA;
}

void yap_make_header(int page_size, int reserved, unsigned char *header) {
    static const char magic[16] = "SQLite format 3";
    memset(header, 0, database_header_size);
    memcpy(header, magic, sizeof magic);
    // 65536 does not fit into the two bytes and is stored as 1.
    header[16] = (unsigned char)(page_size >> 8);
    header[17] = (unsigned char)(page_size >> 16);
    header[20] = (unsigned char)reserved;
}

// SQLite reads a page or a part of one. Who reads several wants what there is of them: a damaged one is then zeros.
static int read_database(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    struct page_file *file = (struct page_file *)base;
    int size = file->decoder.page_size;
    int is_single = offset % size + count <= size;
    int status = SQLITE_OK;
    if (offset == 0 && count == database_header_size) {
        // Without the size of a page nothing can be opened. The error comes when the page itself is read.
        status = read_page(file, 1, 0);
        if (status == SQLITE_IOERR_DATA) {
            yap_make_header(size, file->decoder.reserved, bytes);
            return SQLITE_OK;
        }
    }
    for (unsigned char *target = bytes; count > 0 && status == SQLITE_OK;) {
        int within = (int)(offset % size);
        int part = size - within < count ? size - within : count;
        status = read_page(file, (unsigned)(offset / size) + 1, offset - within);
        if (status == SQLITE_IOERR_DATA && !is_single) {
            memset(file->plain, 0, (size_t)size);
            status = SQLITE_OK;
        }
        if (status != SQLITE_OK && status != SQLITE_IOERR_SHORT_READ) return status;
        memcpy(target, file->plain + within, (size_t)part);
        target += part;
        offset += part;
        count -= part;
        if (status == SQLITE_IOERR_SHORT_READ) memset(target, 0, (size_t)count);
    }
    return status;
}

// Only what is read as the page of a frame is decoded: SQLite's sums are over frames as they are stored, which it reads with their headers.
static int read_log(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    struct page_file *file = (struct page_file *)base;
    int size = file->decoder.page_size;
    sqlite3_int64 place = offset - log_header_size;
    int is_page = place >= 0 && place % (frame_header_size + size) == frame_header_size && count <= size;
    if (!is_page) return real(base)->pMethods->xRead(real(base), bytes, count, offset);
    unsigned char header[4];
    int status = real(base)->pMethods->xRead(real(base), header, sizeof header, offset - frame_header_size);
    if (status != SQLITE_OK) return status;
    unsigned page = (unsigned)header[0] << 24 | (unsigned)header[1] << 16 | (unsigned)header[2] << 8 | header[3];
    status = read_page(file, page, offset);
    if (status == SQLITE_OK || status == SQLITE_IOERR_SHORT_READ) memcpy(bytes, file->plain, (size_t)count);
    return status;
}

static int close_file(sqlite3_file *base) {
    struct page_file *file = (struct page_file *)base;
    free(file->stored);
    free(file->plain);
    int status = real(base)->pMethods->xClose(real(base));
    if (file->decoder.release) file->decoder.release(file->decoder.context);
    return status;
}

// A file that is encrypted when it is read must not get plain pages.
static int refuse_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    (void)file, (void)bytes, (void)count, (void)offset;
    return SQLITE_READONLY;
}
static int refuse_truncate(sqlite3_file *file, sqlite3_int64 size) {
    (void)file, (void)size;
    return SQLITE_READONLY;
}
static int sync_nothing(sqlite3_file *file, int flags) {
    (void)file, (void)flags;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return real(file)->pMethods->xFileSize(real(file), size); }
static int lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int is_reserved(sqlite3_file *file, int *answer) {
    return real(file)->pMethods->xCheckReservedLock(real(file), answer);
}
static int control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int characteristics(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
static int map_index(sqlite3_file *file, int page, int size, int extend, void volatile **mapped) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, mapped);
}
static int lock_index(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void fence_index(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int unmap_index(sqlite3_file *file, int is_deleted) {
    return real(file)->pMethods->xShmUnmap(real(file), is_deleted);
}

// Version 2 has no mapping of the file into memory, where its bytes would be as they are stored.
#define METHODS(version, read_function) \
    .iVersion = version, .xClose = close_file, .xRead = read_function, .xWrite = refuse_write, \
    .xTruncate = refuse_truncate, .xSync = sync_nothing, .xFileSize = file_size, .xLock = lock, .xUnlock = unlock, \
    .xCheckReservedLock = is_reserved, .xFileControl = control, .xSectorSize = sector_size, \
    .xDeviceCharacteristics = characteristics

static const sqlite3_io_methods database_methods = {
    METHODS(2, read_database), .xShmMap = map_index, .xShmLock = lock_index, .xShmBarrier = fence_index,
    .xShmUnmap = unmap_index};
static const sqlite3_io_methods database_methods_without_index = {METHODS(1, read_database)};
static const sqlite3_io_methods log_methods = {METHODS(1, read_log)};

static int has_room(struct page_file *file, int size) {
    file->stored = malloc((size_t)size);
    file->plain = malloc((size_t)size);
    return file->stored && file->plain;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *flags_out) {
    sqlite3_vfs *real_vfs = (sqlite3_vfs *)vfs->pAppData;
    if (!(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) {
        return real_vfs->xOpen(real_vfs, name, base, flags, flags_out);
    }
    struct page_file *file = (struct page_file *)base;
    memset(file, 0, sizeof *file);
    int status = real_vfs->xOpen(real_vfs, name, real(base), flags, flags_out);
    const sqlite3_io_methods *found = real(base)->pMethods;
    if (!found) return status;
    int is_log = flags & SQLITE_OPEN_WAL;
    // SQLite closes a file that has methods, even after an error.
    int has_index = found->iVersion >= 2 && found->xShmMap;
    base->pMethods = is_log ? &log_methods : has_index ? &database_methods : &database_methods_without_index;
    if (is_log) {
        file->decoder = ((struct page_file *)sqlite3_database_file_object(name))->decoder;
        // The database, which is closed later, releases it.
        file->decoder.release = 0;
    } else if (opening) {
        file->decoder = *opening;
        is_taken = 1;
    }
    if (status == SQLITE_OK && (!file->decoder.decode || !has_room(file, file->decoder.page_size))) status = SQLITE_NOMEM;
    return status;
}

// The other functions find the data of the real one in pAppData, where ours has the real one.
static int delete_file(sqlite3_vfs *vfs, const char *name, int is_synced) {
    (void)vfs, (void)name, (void)is_synced;
    return SQLITE_READONLY;
}
static int has_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
    sqlite3_vfs *real_vfs = (sqlite3_vfs *)vfs->pAppData;
    return real_vfs->xAccess(real_vfs, name, flags, answer);
}
static int full_name(sqlite3_vfs *vfs, const char *name, int capacity, char *full) {
    sqlite3_vfs *real_vfs = (sqlite3_vfs *)vfs->pAppData;
    return real_vfs->xFullPathname(real_vfs, name, capacity, full);
}

static int register_over(const char *real_name, const char *name, sqlite3_vfs *vfs) {
    sqlite3_vfs *real_vfs = sqlite3_vfs_find(real_name);
    if (!real_vfs) return SQLITE_ERROR;
    *vfs = *real_vfs;
    vfs->pNext = 0;
    vfs->zName = name;
    vfs->pAppData = real_vfs;
    vfs->szOsFile = (int)sizeof(struct page_file) + real_vfs->szOsFile;
    vfs->xOpen = open_file;
    vfs->xDelete = delete_file;
    vfs->xAccess = has_access;
    vfs->xFullPathname = full_name;
    return sqlite3_vfs_register(vfs, 0);
}

static int registration;

static void register_all(void) {
    registration = sqlite3_initialize();
    if (registration == SQLITE_OK) registration = register_over(0, "yap-decoded", &decoded_vfs);
    if (registration == SQLITE_OK) registration = register_over("unix-none", "yap-decoded-none", &decoded_none_vfs);
}

int yap_open_decoded(const char *name, sqlite3 **handle, int flags, const struct yap_page_decoder *decoder) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_all);
    *handle = 0;
    int status = registration;
    opening = decoder;
    is_taken = 0;
    if (status == SQLITE_OK) status = sqlite3_open_v2(name, handle, flags, "yap-decoded");
    opening = 0;
    if (!is_taken) decoder->release(decoder->context);
    return status;
}
