import Foundation

/// The place of a backup, with the file that is there already and what lies beside it.
///
/// A log or a journal that stayed beside the new file would be played into it. So the old database takes in what is beside it
/// first; then everything beside it is removed, while nobody can open it; then the new file gets its name. Whoever is killed
/// in between leaves the old database, whole.
package struct BackupDestination {
    package let path: String
    /// How long to wait for others who have the old database open, in milliseconds.
    let busyTimeout: Int

    private static let companions = ["-wal", "-shm", "-journal"]
    /// One at a time: of two that find no file, the second must find that of the first.
    private static let turn = Locked(())

    /// A link stays a link: what it leads to is replaced.
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

    /// Puts the file in its place that `make` writes at another path, if `make` returns true.
    package func write(_ make: (_ unfinished: String) throws -> Bool) throws -> Bool {
        let unfinished = "\(path).\(UUID().uuidString).unfinished"
        defer { unlink(unfinished) }
        guard try make(unfinished) else { return false }
        try replace(with: unfinished)
        return true
    }

    private func replace(with finished: String) throws {
        try Self.turn.withLock { _ in
            let old = try clear()
            try withExtendedLifetime(old) {
                // One step for whoever looks: the old file, then the new one.
                guard rename(finished, path) == 0 else { throw failure("The backup cannot be put at \(path).") }
            }
        }
    }

    /// Removes what lies beside the old file.
    /// - Returns: the old database, which nobody can open as long as this is held; nil where there is none.
    func clear() throws -> Store? {
        let old = hasContent("") ? try sealed() : nil
        for suffix in Self.companions {
            guard unlink(path + suffix) == 0 || errno == ENOENT else {
                throw failure("\(path + suffix) is left of an older database and cannot be removed.")
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
            // Nobody can open it as it is; but with what lies beside it somebody may still save something of it.
            guard let companion = ["-wal", "-journal"].first(where: hasContent) else { return nil }
            throw YapDatabaseError(
                error.code,
                "\(path) cannot be opened as a database, and beside it lies \(path + companion). Move both away, or choose "
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
