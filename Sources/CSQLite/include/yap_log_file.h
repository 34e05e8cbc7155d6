#ifndef YAP_LOG_FILE_H
#define YAP_LOG_FILE_H

#include <sqlite3.h>

// SQLite's access to files, with two differences: the pages that a commit appends to the write-ahead log reach the file in one call of the
// system instead of two for each page, and a thread that finds the index of the log locked tries for a moment before it sleeps. Returns its
// name, or null (the default) if it cannot be registered.
const char *yap_log_vfs(void);

// The pages that this handle appends to its log are gathered from here to yap_log_end, between which it runs COMMIT and nothing else.
// All of them are in the file when SQLite has handed over the last one, so that a failed write is a failed COMMIT, and before it
// makes them visible.
void yap_log_begin(sqlite3 *handle);

// Drops what was gathered and not written, after a COMMIT that failed. Returns the number of bytes; 0 after one that succeeded.
int yap_log_end(sqlite3 *handle);

// Whether a connection of any process reads pages of the log, so that the log cannot begin again. The handle must have read the file before and
// be in no transaction. While no program commits and all of the log is copied, a 0 stays true: who begins to read needs the file alone.
int yap_log_has_readers(sqlite3 *handle);

// Takes the lock of writers without a transaction, which would read the log itself, if it is free. Returns whether it was. The handle must have
// read the file before and be in no transaction, and begins none until the lock is given back. The lock ends with the process.
int yap_log_lock_writers(sqlite3 *handle);
void yap_log_unlock_writers(sqlite3 *handle);

#endif
