#ifndef YAP_CPOSTGRESQL_H
#define YAP_CPOSTGRESQL_H

// Debian has the header in a folder of its own, other systems among the others. Found here and not by pkg-config, for which
// SwiftPM warns wherever it is not installed, also in packages that use YapDatabase alone.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#include <stdbool.h>
#include <sys/eventfd.h>

// Loads libpq; it is not linked, because it brings twenty libraries: 5 MB and some milliseconds for programs that never use a
// server. The functions of libpq that this module has may be called once this was true; false if the system has no libpq.
bool yap_load_libpq(void);

// What Swift's Glibc module lacks: a descriptor that one thread makes readable to wake another one.
static inline int yap_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// The fields of an error are named by characters, which Swift imports as text.
static inline const char *yap_sqlstate(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_SQLSTATE); }
static inline const char *yap_primary(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

// Notices of the server would otherwise be printed on standard error.
static inline void yap_drop_notice(void *context, const PGresult *result) { (void)context; (void)result; }
static inline void yap_drop_notices(PGconn *connection) { PQsetNoticeReceiver(connection, yap_drop_notice, 0); }

#endif
