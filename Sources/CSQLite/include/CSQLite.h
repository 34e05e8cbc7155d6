#ifndef YAP_CSQLITE_H
#define YAP_CSQLITE_H

#include <sqlite3.h>
#include <stdlib.h>

#include "yap_log_file.h"
#include "yap_page_file.h"

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import. Returns an error for more bytes
// than SQLite holds in one value, or than an int counts.
static inline int yap_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int yap_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
// The bytes must not change until the statement is reset or bound again; nothing is copied.
static inline int yap_bind_borrowed_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}
static inline int yap_bind_borrowed_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

// Makes SQLite count no bytes of memory. The counters have one lock for the whole process, which every allocation takes:
// connections that read at the same time wait for it. Does nothing once the library is in use. sqlite3_config is
// variadic, which Swift cannot call.
static inline void yap_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int yap_set_checkpoint_on_close(sqlite3 *handle, int enabled) {
    return sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !enabled, (int *)0);
}

// By default SQLite reads an unknown name in double quotes as a text: a query of a missing column would return the
// column's name in every row. This makes it an error.
static inline int yap_refuse_unknown_names(sqlite3 *handle) {
    return sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

// Disables what a file's schema could run, and writing SQLite's own tables by hand. Returns 0 if all of it is set.
static inline int yap_distrust_schema(sqlite3 *handle) {
    static const int off[] = {
        SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,         SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        SQLITE_DBCONFIG_ENABLE_FKEY,    SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
    };
    for (unsigned i = 0; i < sizeof off / sizeof *off; i++) {
        int status = sqlite3_db_config(handle, off[i], 0, (int *)0);
        if (status != SQLITE_OK) return status;
    }
    return SQLITE_OK;
}
static inline int yap_set_defensive(sqlite3 *handle, int enabled) {
    return sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, enabled, (int *)0);
}

// While the root page is not 0, a CREATE statement only defines what is already stored there: SQLite's own interface
// for files with a damaged schema.
static inline int yap_set_imposter(sqlite3 *handle, unsigned root_page) {
    return sqlite3_test_control(SQLITE_TESTCTRL_IMPOSTER, handle, "main", root_page != 0, root_page);
}

// Forgets the definitions made in that way; the schema is read again when it is needed.
static inline int yap_forget_imposters(sqlite3 *handle) {
    return sqlite3_test_control(SQLITE_TESTCTRL_IMPOSTER, handle, "main", 0, 1);
}

// Whether the name by which the file was opened now leads to another file, or to none.
static inline int yap_has_moved(sqlite3 *handle, int *moved) {
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, moved);
}

// Returns the header of the write-ahead index, an array of 32-bit numbers in the documented layout of the -shm file, to
// which only the VFS has a pointer; null if there is none. Valid as long as the handle is open.
static inline int yap_find_wal_index(sqlite3 *handle, const unsigned **index) {
    sqlite3_file *file = 0;
    void volatile *found = 0;
    *index = 0;
    int status = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (status != SQLITE_OK) return status;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return SQLITE_OK;
    status = file->pMethods->xShmMap(file, 0, 32768, 0, &found);
    // A read-only index counts as present.
    if (status != SQLITE_OK && status != SQLITE_READONLY) return status;
    *index = (const unsigned *)found;
    return SQLITE_OK;
}
// Returns the number of transactions that any program committed to the file since its write-ahead index was created.
static inline unsigned yap_wal_change_counter(const unsigned *index) {
    return __atomic_load_n(index + 2, __ATOMIC_ACQUIRE);
}
// Reads the change counter and the checksum of all pages of the log, which together are different in each state of the file. Returns 0
// while a writer is changing them.
static inline int yap_wal_stamp(const unsigned *index, unsigned *change, unsigned long long *checksum) {
    unsigned found[3];
    const int places[3] = {2, 6, 7};
    for (int place = 0; place < 3; place++) {
        found[place] = __atomic_load_n(index + places[place], __ATOMIC_ACQUIRE);
        if (found[place] != __atomic_load_n(index + 12 + places[place], __ATOMIC_ACQUIRE)) return 0;
    }
    *change = found[0];
    *checksum = (unsigned long long)found[2] << 32 | found[1];
    return 1;
}
// Returns the number of pages in the log.
static inline unsigned yap_wal_logged(const unsigned *index) { return __atomic_load_n(index + 4, __ATOMIC_ACQUIRE); }
// Returns the size of a page in bytes; 65536 does not fit into the 16 bits and is stored as 1.
static inline unsigned yap_wal_page_size(const unsigned *index) {
    unsigned short size = ((const unsigned short *)index)[7];
    return size == 1 ? 65536 : size;
}
// Returns the number of these pages that a checkpoint has copied into the file.
static inline unsigned yap_wal_copied(const unsigned *index) { return __atomic_load_n(index + 24, __ATOMIC_ACQUIRE); }

// Reads the header of the index, 12 numbers. Returns 0 while a writer is changing it, when its two copies differ.
static inline int yap_wal_read_header(const unsigned *index, unsigned *header) {
    for (int place = 0; place < 12; place++) header[place] = __atomic_load_n(index + place, __ATOMIC_ACQUIRE);
    for (int place = 0; place < 12; place++) {
        if (header[place] != __atomic_load_n(index + 12 + place, __ATOMIC_ACQUIRE)) return 0;
    }
    return 1;
}

// Reads bytes of the database file as they lie there, through SQLite's own descriptor: closing another one of the process would
// release SQLite's locks. Fills up with zeros behind the end of the file. Returns 0 if nothing is wrong.
static inline int yap_read_file(sqlite3 *handle, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (status != SQLITE_OK) return status;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    status = file->pMethods->xRead(file, bytes, count, offset);
    return status == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : status;
}
// Whether the log has a page behind the given number of pages that the index knows, of a commit that is being written or was given up: its
// header has the salt of this run of the log. Also 1 while the log begins again, and if it cannot be read.
static inline int yap_log_has_more(sqlite3 *handle, unsigned pages, unsigned page_size, sqlite3_uint64 salt) {
    sqlite3_file *file = 0;
    unsigned char header[32], frame[24];
    int status = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods) return 1;
    status = file->pMethods->xRead(file, header, sizeof header, 0);
    // A log that was never written.
    if (status == SQLITE_IOERR_SHORT_READ && pages == 0) return 0;
    if (status != SQLITE_OK || __builtin_memcmp(header + 16, &salt, 8) != 0) return 1;
    status = file->pMethods->xRead(file, frame, sizeof frame, 32 + (sqlite3_int64)pages * (24 + page_size));
    if (status == SQLITE_IOERR_SHORT_READ) return 0;
    return status != SQLITE_OK || __builtin_memcmp(frame + 8, &salt, 8) == 0;
}
static inline sqlite3_int64 yap_file_size(sqlite3 *handle) {
    sqlite3_file *file = 0;
    sqlite3_int64 size = 0;
    if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (!file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK) return 0;
    return size;
}

// Returns the number of unused bytes at the end of each page; -1 if SQLite does not report it.
static inline int yap_reserved_bytes(sqlite3 *handle) {
    int count = -1;
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &count) == SQLITE_OK ? count : -1;
}

// Resets every statement that has not reached its end.
static inline void yap_reset_running(sqlite3 *handle) {
    for (sqlite3_stmt *one = sqlite3_next_stmt(handle, 0); one; one = sqlite3_next_stmt(handle, one)) {
        if (sqlite3_stmt_busy(one)) sqlite3_reset(one);
    }
}

#endif
