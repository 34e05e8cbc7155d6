import CSQLite

extension SQLiteHandle {
    /// Whether the name by which the file was opened now leads to another file, or to none.
    public var hasMoved: Bool {
        var moved: Int32 = 0
        return yap_has_moved(pointer, &moved) == SQLITE_OK && moved != 0
    }

    /// Copies the database that this handle reads to another one, page by page. In a read transaction of this handle
    /// the copy is of its snapshot, whatever others write meanwhile.
    /// - Parameter progress: called after each step with the pages copied and the pages in all; returning false ends
    ///   the copy.
    /// - Returns: whether the copy is complete.
    public func copy(
        to destination: SQLiteHandle, pagesPerStep: Int, progress: (_ done: Int, _ total: Int) -> Bool
    ) throws -> Bool {
        guard let backup = sqlite3_backup_init(destination.pointer, "main", pointer, "main") else {
            throw destination.translate(SQLiteError(handle: destination.pointer))
        }
        defer { sqlite3_backup_finish(backup) }
        while true {
            let status = sqlite3_backup_step(backup, Int32(pagesPerStep))
            let total = Int(sqlite3_backup_pagecount(backup))
            let isWanted = progress(total - Int(sqlite3_backup_remaining(backup)), total)
            if status == SQLITE_DONE { return true }
            guard status == SQLITE_OK else {
                throw destination.translate(
                    SQLiteError(extendedCode: status, message: String(cString: sqlite3_errstr(status))))
            }
            if !isWanted { return false }
        }
    }
}
