import FileEngine

extension YapDatabase {
    /// Makes the rows the file's own: it follows no space from now on, and can be written without a server. What other hosts write does
    /// not arrive any more, and the file cannot follow the space again but by giving its rows up. Mutations that were pending are not sent;
    /// what they changed stays.
    ///
    /// ```swift
    /// try database.detachFromServer()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `locked` if the database was opened with its server, or another process has the file open;
    ///   and as every write.
    public func detachFromServer() throws {
        try newConnection().readWrite { transaction in
            guard authority == nil, !file.hasOthers else {
                throw YapDatabaseError(
                    .locked,
                    "\(path) is in use, and may be following its server. Close it everywhere, then open it without the server and try again."
                )
            }
            // What was pending is the file's own, too.
            for record in try transaction.pendingMutations() { try transaction.remove(record) }
            try transaction.removeReplacedRows()
            for name in [
                SpaceValue.position, SpaceValue.identity, SpaceValue.address, SpaceValue.outbox, SpaceValue.base,
            ] {
                try transaction.removeFileValue(name)
            }
        }
        forgetSpace()
    }
}
