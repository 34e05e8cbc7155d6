#ifndef YAP_LOG_INDEX_H
#define YAP_LOG_INDEX_H

#include <sqlite3.h>

// Gives a database file that SQLite has opened other locks of the index of its write-ahead log, which all connections of the process to
// the file share. SQLite's take a mutex, and a thread that finds it taken sleeps; these wait as yap_mutex_lock does. Its barrier takes
// the mutex of all files, "for redundancy"; ours is a barrier alone.
// The size is that of SQLite's own part of the file, behind which there is room for a pointer. It is the same for all files.
void yap_wait_for_log_index(sqlite3_file *file, const char *name, int size);

#endif
