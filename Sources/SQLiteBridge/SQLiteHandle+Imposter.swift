import CSQLite

extension SQLiteHandle {
    /// Defines a table, or an index of one, at a page of the file, replacing the file's own definition. Must be called
    /// before anything of the file is read, on a handle that writes nothing.
    /// - Throws: if SQLite rejects the definition.
    public func define(_ sql: String, at rootPage: Int) throws {
        guard let page = UInt32(exactly: rootPage), page > 1 else { return }
        yap_set_imposter(pointer, page)
        // With a page number, switching it off would forget all definitions.
        defer { yap_set_imposter(pointer, 0) }
        var prepared: OpaquePointer?
        while sqlite3_prepare_v2(pointer, sql, -1, &prepared, nil) != SQLITE_OK {
            let error = SQLiteError(handle: pointer, sql: sql)
            if standIns?.addFunction(missedBy: error) != true { throw translate(error) }
        }
        // A statement that only defines has its effect when it is prepared, and nothing is left to run.
        guard let prepared else { return }
        defer { sqlite3_finalize(prepared) }
        guard sqlite3_step(prepared) == SQLITE_DONE else { throw translate(SQLiteError(handle: pointer, sql: sql)) }
    }

    /// Undoes ``define(_:at:)``.
    public func forgetDefinitions() { yap_forget_imposters(pointer) }
}
