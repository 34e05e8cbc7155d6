extension Store {
    private static let pagesPerStep = 256

    /// Copies the state that the transaction reads to a new file.
    /// - Parameter progress: receives the numbers of pages copied and in total; returns false to stop the copy.
    /// - Returns: false if `progress` stopped the copy.
    package func copy(to path: String, progress: (_ done: Int, _ total: Int) -> Bool) throws -> Bool {
        let copy = try Store(path: path, mode: .create, busyTimeout: 0)
        return try handle.copy(to: copy.handle, pagesPerStep: Self.pagesPerStep, progress: progress)
    }
}

extension Store {
    /// Opens a file with exclusive access and moves the content of its log or journal into it, so that the files beside it
    /// can be removed. The state of the database does not change at any moment.
    /// - Throws: ``YapDatabaseError`` with `locked` if the file is open elsewhere, and SQLite's error if it is not a database
    ///   or too damaged to open.
    static func sealed(path: String) throws -> Store {
        let store = try Store(path: path, mode: .readWrite, busyTimeout: 0)
        // Keeps a log that SQLite cannot read.
        store.handle.setCheckpointOnClose(false)
        // Succeeds only if no other handle has the file open. A handle that opens it later cannot create a log: SQLite
        // refuses to switch the mode once the name belongs to another file.
        _ = try store.journalMode("PRAGMA journal_mode = DELETE")
        try store.execute("BEGIN EXCLUSIVE")
        // Another process may have changed the mode between the two statements, or replaced the file.
        guard try store.journalMode("PRAGMA journal_mode") == "delete", !store.handle.hasMoved else {
            throw YapDatabaseError(.locked, "Another program opened or replaced \(path). Try again.")
        }
        return store
    }

    private func journalMode(_ sql: String) throws -> String? { try first(sql) { $0.text(at: 0) } ?? nil }
}
