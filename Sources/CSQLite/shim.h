#ifndef YAP_CSQLITE_SHIM_H
#define YAP_CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import.
static inline int yap_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline int yap_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
// The bytes must stay as they are until the statement is reset or bound anew; nothing is copied.
static inline int yap_bind_borrowed_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC);
}

// sqlite3_db_config has variable arguments, which Swift cannot call.
static inline int yap_set_checkpoint_on_close(sqlite3 *handle, int enabled) {
    return sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !enabled, (int *)0);
}

// How many transactions were committed to the file, by anybody, since its write-ahead index was made; 0 on failure. It
// stands in the index's header (the documented layout of the -shm file), to which only the VFS has a pointer.
static inline int yap_wal_change_counter(sqlite3 *handle, unsigned *counter) {
    sqlite3_file *file = 0;
    void volatile *index = 0;
    if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK || !index) return 0;
    *counter = __atomic_load_n((unsigned *)index + 2, __ATOMIC_ACQUIRE);
    return 1;
}

#endif
