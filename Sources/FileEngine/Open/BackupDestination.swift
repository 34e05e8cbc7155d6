import Foundation

/// The path of a backup, with the file that already exists there and its companion files.
///
/// SQLite would play a log or journal that stays beside the new file into it. So the old database absorbs them first; then
/// they are removed, while no process can open the database; then the new file is renamed. A process that is killed in
/// between leaves the complete old database.
package struct BackupDestination {
    package let path: String
    /// Milliseconds to wait for other users of the old database.
    let busyTimeout: Int

    private static let companions = ["-wal", "-shm", "-journal"]
    /// Serializes backups: of two that find no file, the second must find the file of the first.
    private static let turn = NSLock()

    /// Replaces the target of a symbolic link, not the link.
    package init(path: String, busyTimeout: Int) throws {
        self.path = OpenFile.canonicalPath(URL(filePath: path))
        self.busyTimeout = busyTimeout
        guard !OpenFile.isPart(self.path) else {
            throw YapDatabaseError(
                .alreadyOpen,
                "\(path) belongs to a database that is open in this process, which a backup there would destroy. Choose "
                    + "another path.")
        }
    }

    /// Has `make` write a file at a temporary path, then moves it to the destination if `make` returns true.
    package func write(_ make: (_ unfinished: String) throws -> Bool) throws -> Bool {
        let unfinished = "\(path).\(UUID.random().uuidString).unfinished"
        defer { unlink(unfinished) }
        guard try make(unfinished) else { return false }
        try replace(with: unfinished)
        return true
    }

    private func replace(with finished: String) throws {
        try Self.turn.withLock {
            let old = try clear()
            try withExtendedLifetime(old) {
                // Atomic: other processes see the old file or the new one.
                guard rename(finished, path) == 0 else { throw failure("The backup cannot be moved to \(path).") }
            }
        }
    }

    /// Removes the companion files of the old file.
    /// - Returns: the old database, which no process can open while this is held; nil if there is none.
    func clear() throws -> Store? {
        let old = hasContent("") ? try sealed() : nil
        for suffix in Self.companions {
            guard unlink(path + suffix) == 0 || errno == ENOENT else {
                throw failure("\(path + suffix) belongs to an older database and cannot be removed.")
            }
        }
        return old
    }

    private func sealed() throws -> Store? {
        do {
            return try Store.retrying(for: busyTimeout) { try Store.sealed(path: path) }
        } catch let error as YapDatabaseError where error.code == .locked {
            throw YapDatabaseError(
                .locked,
                "\(path) is open in another program, or in another part of this one, so the backup cannot replace it. "
                    + "Close it there, or choose another path.",
                underlying: error)
        } catch let error as YapDatabaseError where [.notADatabase, .corrupt].contains(error.code) {
            // The file cannot be opened, but its companion files may still help to recover data.
            guard let companion = ["-wal", "-journal"].first(where: hasContent) else { return nil }
            throw YapDatabaseError(
                error.code,
                "\(path) cannot be opened as a database, and \(path + companion) is beside it. Move both away, or choose "
                    + "another path for the backup.",
                underlying: error)
        }
    }

    private func hasContent(_ suffix: String) -> Bool {
        var status = stat()
        return stat(path + suffix, &status) == 0 && status.st_size > 0
    }

    private func failure(_ what: String) -> YapDatabaseError {
        let cause = POSIXError(.init(rawValue: errno) ?? .EIO)
        return YapDatabaseError(.cannotOpen, "\(what) Check the folder's permissions.", underlying: cause)
    }
}
