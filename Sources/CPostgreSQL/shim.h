#ifndef YAP_CPOSTGRESQL_SHIM_H
#define YAP_CPOSTGRESQL_SHIM_H

// Debian has the header in a folder of its own, other systems among the others. Found here and not by pkg-config, for which
// SwiftPM warns wherever it is not installed, also in packages that use YapDatabase alone.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#include <sys/eventfd.h>

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
