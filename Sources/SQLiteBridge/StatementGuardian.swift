import CSQLite

/// Enforces the rules of a handle.
final class StatementGuardian {
    private let rules: SQLiteRules
    var isSuspended = false
    /// Whether an action was forbidden since this was last set to false. SQLite reports some of these as another error.
    var hasForbidden = false

    init(_ rules: SQLiteRules) { self.rules = rules }

    /// Installs the authorizer. The guardian must live as long as the handle.
    func protect(_ handle: OpaquePointer) throws {
        try check(yap_distrust_schema(handle))
        try protectSchema(handle)
        try check(sqlite3_exec(handle, "PRAGMA cell_size_check = ON", nil, nil, nil))
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(
            sqlite3_set_authorizer(
                handle,
                { context, code, first, second, _, trigger in
                    let guardian = Unmanaged<StatementGuardian>.fromOpaque(context!).takeUnretainedValue()
                    return guardian.allows(code, first, second, trigger) ? SQLITE_OK : SQLITE_DENY
                }, context))
    }

    /// Makes the tables of SQLite and of virtual tables read-only for statements, as the rules have it.
    func protectSchema(_ handle: OpaquePointer) throws { try setDefensive(rules.isDefensive, handle) }

    func setDefensive(_ isDefensive: Bool, _ handle: OpaquePointer) throws {
        try check(yap_set_defensive(handle, isDefensive ? 1 : 0))
    }

    private func check(_ status: Int32) throws {
        guard status == SQLITE_OK else {
            throw SQLiteError(extendedCode: status, message: String(cString: sqlite3_errstr(status)))
        }
    }

    private func allows(
        _ code: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        _ trigger: UnsafePointer<CChar>?
    ) -> Bool {
        if isSuspended { return true }
        let action = SQLiteAction(code, first.map { String(cString: $0) } ?? "", second)
        // A write inside a trigger or a view is not a statement of the program.
        let isOwn = if case .write = action { trigger == nil } else { true }
        let isAllowed = isOwn && rules.allows(action)
        if !isAllowed { hasForbidden = true }
        return isAllowed
    }
}

extension SQLiteAction {
    fileprivate init(_ code: Int32, _ first: String, _ second: UnsafePointer<CChar>?) {
        var other: String { second.map { String(cString: $0) } ?? "" }
        self =
            switch code {
            case SQLITE_SELECT, SQLITE_RECURSIVE: .select
            case SQLITE_READ: .read(table: first)
            case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: .write(table: first)
            case SQLITE_CREATE_TABLE: .createTable(first)
            case SQLITE_CREATE_INDEX: .createIndex(table: other)
            case SQLITE_CREATE_VTABLE: .createVirtualTable(first, module: other)
            case SQLITE_CREATE_VIEW: .createView
            case SQLITE_CREATE_TRIGGER: .createTrigger
            case SQLITE_DROP_TABLE, SQLITE_DROP_VTABLE: .dropTable(first)
            case SQLITE_DROP_INDEX: .dropIndex(table: other)
            case SQLITE_REINDEX: .reindex
            case SQLITE_FUNCTION: .function(other)
            case SQLITE_PRAGMA: .pragma(first)
            case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: .transaction
            default: .other
            }
    }
}
