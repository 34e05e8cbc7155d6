import CSQLite

extension SQLiteHandle {
    /// Reads a table, or an index of one, from a page of the file by another definition than the file's own, which does not
    /// count then. To be called before anything of the file is read, for a handle that writes nothing.
    /// - Throws: when the definition makes no sense to SQLite.
    public func define(_ sql: String, at rootPage: Int) throws {
        guard let page = UInt32(exactly: rootPage), page > 1 else { return }
        yap_set_imposter(pointer, page)
        // With a page, turning it off would forget all definitions.
        defer { yap_set_imposter(pointer, 0) }
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(pointer, sql, -1, &prepared, nil) == SQLITE_OK else {
            throw translate(SQLiteError(handle: pointer, sql: sql))
        }
        // What only defines is done when it is prepared, and leaves no statement.
        guard let prepared else { return }
        defer { sqlite3_finalize(prepared) }
        guard sqlite3_step(prepared) == SQLITE_DONE else { throw translate(SQLiteError(handle: pointer, sql: sql)) }
    }

    /// Takes back what ``define(_:at:)`` did.
    public func forgetDefinitions() { yap_forget_imposters(pointer) }
}
