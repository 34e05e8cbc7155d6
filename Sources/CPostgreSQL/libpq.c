#define _GNU_SOURCE
#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// Each function of libpq that is used, as type, name, parameters and arguments. A call goes to the loaded library.
#define EACH_FUNCTION(DO) \
    DO(PGresult *, PQgetResult, (PGconn * conn), (conn)) \
    DO(int, PQconsumeInput, (PGconn * conn), (conn)) \
    DO(int, PQflush, (PGconn * conn), (conn)) \
    DO(int, PQisBusy, (PGconn * conn), (conn)) \
    DO(int, PQsocket, (const PGconn *conn), (conn)) \
    DO(int, PQserverVersion, (const PGconn *conn), (conn)) \
    DO(int, PQsetSingleRowMode, (PGconn * conn), (conn)) \
    DO(int, PQsetnonblocking, (PGconn * conn, int arg), (conn, arg)) \
    DO(ConnStatusType, PQstatus, (const PGconn *conn), (conn)) \
    DO(char *, PQerrorMessage, (const PGconn *conn), (conn)) \
    DO(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expand_dbname), \
       (keywords, values, expand_dbname)) \
    DO(PostgresPollingStatusType, PQconnectPoll, (PGconn * conn), (conn)) \
    DO(PQconninfoOption *, PQconninfoParse, (const char *conninfo, char **errmsg), (conninfo, errmsg)) \
    DO(PQconninfoOption *, PQconninfo, (PGconn * conn), (conn)) \
    DO(PGcancel *, PQgetCancel, (PGconn * conn), (conn)) \
    DO(int, PQcancel, (PGcancel * cancel, char *errbuf, int errbufsize), (cancel, errbuf, errbufsize)) \
    DO(PGnotify *, PQnotifies, (PGconn * conn), (conn)) \
    DO(int, PQconnectionNeedsPassword, (const PGconn *conn), (conn)) \
    DO(PGVerbosity, PQsetErrorVerbosity, (PGconn * conn, PGVerbosity verbosity), (conn, verbosity)) \
    DO(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn * conn, PQnoticeReceiver proc, void *arg), (conn, proc, arg)) \
    DO(int, PQsendQuery, (PGconn * conn, const char *query), (conn, query)) \
    DO(int, PQsendPrepare, \
       (PGconn * conn, const char *stmtName, const char *query, int nParams, const Oid *paramTypes), \
       (conn, stmtName, query, nParams, paramTypes)) \
    DO(int, PQsendQueryPrepared, \
       (PGconn * conn, const char *stmtName, int nParams, const char *const *paramValues, const int *paramLengths, \
        const int *paramFormats, int resultFormat), \
       (conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat)) \
    DO(int, PQsendQueryParams, \
       (PGconn * conn, const char *command, int nParams, const Oid *paramTypes, const char *const *paramValues, \
        const int *paramLengths, const int *paramFormats, int resultFormat), \
       (conn, command, nParams, paramTypes, paramValues, paramLengths, paramFormats, resultFormat)) \
    DO(ExecStatusType, PQresultStatus, (const PGresult *res), (res)) \
    DO(char *, PQresultErrorMessage, (const PGresult *res), (res)) \
    DO(char *, PQresultErrorField, (const PGresult *res, int fieldcode), (res, fieldcode)) \
    DO(int, PQnfields, (const PGresult *res), (res)) \
    DO(int, PQgetisnull, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
    DO(int, PQgetlength, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
    DO(char *, PQgetvalue, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num))

// Likewise those without a result.
#define EACH_PROCEDURE(DO) \
    DO(PQfinish, (PGconn * conn), (conn)) \
    DO(PQclear, (PGresult * res), (res)) \
    DO(PQfreemem, (void *ptr), (ptr)) \
    DO(PQfreeCancel, (PGcancel * cancel), (cancel)) \
    DO(PQconninfoFree, (PQconninfoOption * connOptions), (connOptions))

#define DECLARE(result, name, parameters, arguments) static result(*loaded_##name) parameters;
#define DECLARE_PROCEDURE(name, parameters, arguments) DECLARE(void, name, parameters, arguments)
EACH_FUNCTION(DECLARE)
EACH_PROCEDURE(DECLARE_PROCEDURE)

#define DEFINE(result, name, parameters, arguments) \
    result name parameters { return loaded_##name arguments; }
#define DEFINE_PROCEDURE(name, parameters, arguments) \
    void name parameters { loaded_##name arguments; }
EACH_FUNCTION(DEFINE)
EACH_PROCEDURE(DEFINE_PROCEDURE)

static bool is_loaded = false;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    bool has_all = true;
#define FIND(result, name, parameters, arguments) FIND_PROCEDURE(name, parameters, arguments)
#define FIND_PROCEDURE(name, parameters, arguments) \
    *(void **)&loaded_##name = dlsym(library, #name); \
    has_all = has_all && loaded_##name != NULL;
    EACH_FUNCTION(FIND)
    EACH_PROCEDURE(FIND_PROCEDURE)
    is_loaded = has_all;
}

bool yap_load_libpq(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
