extension Store {
    private static let pagesPerStep = 256

    /// Copies the state that is read into a new file.
    /// - Parameter progress: called with the pages copied and all pages; false ends the copy.
    /// - Returns: false when it was ended.
    package func copy(to path: String, progress: (_ done: Int, _ total: Int) -> Bool) throws -> Bool {
        let copy = try Store(path: path, mode: .create, busyTimeout: 0)
        return try handle.copy(to: copy.handle, pagesPerStep: Self.pagesPerStep, progress: progress)
    }
}

extension Store {
    /// Opens a file for as long as nobody else may: what its log or a journal holds is in the file then, and what lies
    /// beside it is of no use. The state of the database stays the same at each moment.
    /// - Throws: ``YapDatabaseError`` with `locked` where somebody has the file open, and what SQLite says where it is no
    ///   database or too damaged to be opened.
    static func sealed(path: String) throws -> Store {
        let store = try Store(path: path, mode: .readWrite, busyTimeout: 0)
        // A log of which SQLite can make nothing stays.
        store.handle.setCheckpointOnClose(false)
        // Nobody has it open then, and whoever opens it from now on cannot make a log beside it: SQLite refuses to switch to
        // one when the file's name has gone over to another file.
        _ = try store.journalMode("PRAGMA journal_mode = DELETE")
        try store.execute("BEGIN EXCLUSIVE")
        // Somebody may have been faster between the two, or may have put another file there.
        guard try store.journalMode("PRAGMA journal_mode") == "delete", !store.handle.hasMoved else {
            throw YapDatabaseError(.locked, "Somebody else opened or replaced \(path). Try again.")
        }
        return store
    }

    private func journalMode(_ sql: String) throws -> String? { try first(sql) { $0.text(at: 0) } ?? nil }
}
