import FileEngine

/// A file that follows a space on a server, and is open without it.
///
/// A row that only this file has of a followed collection would be removed when the file follows its space again. So such rows are not
/// stored in the first place.
extension YapDatabase {
    /// The space on a server that the file follows; nil for a file of its own.
    ///
    /// Without the server its rows can be read, and a transaction that changes a row of ``YapDatabaseFollowedSpace/collections`` throws
    /// ``YapDatabaseError/Code-swift.enum/followsServer``.
    ///
    /// ```swift
    /// if let space = try database.followedSpace { print("follows \(space.name)") }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed`, or one of reading.
    public var followedSpace: YapDatabaseFollowedSpace? {
        get throws { try newConnection().read { try $0.followedSpace() } }
    }

    /// The space of a database that was opened without its server.
    package var spaceOutOfReach: YapDatabaseFollowedSpace? {
        get throws { authority == nil ? try followedSpace : nil }
    }

    /// Called before a commit of another process becomes known: it may be the first that follows a space.
    func forgetSpace() {
        knownSpace.withLock { $0 = nil }
        knownOutboxes.withLock { $0.forgetMissing() }
    }

    /// The space that the file follows in the state of a write.
    func spaceFollowed(_ transaction: YapDatabaseReadWriteTransaction) throws -> YapDatabaseFollowedSpace? {
        let known = knownSpace.withLock { $0 }
        let space = try known ?? transaction.followedSpace()
        if known == nil { knownSpace.withLock { $0 = .some(space) } }
        return space
    }

    /// Refuses changes of rows that belong to a space.
    ///
    /// Called in each write without an authority. The file is asked once, and again after commits of other processes.
    func refuseLoneChanges(_ transaction: YapDatabaseReadWriteTransaction) throws {
        guard transaction.hasChangedRows else { return }
        guard let space = try spaceFollowed(transaction), transaction.hasChangedRows(in: space.collections) else {
            return
        }
        throw YapDatabaseError(.followsServer, space.refusal(of: path))
    }
}

extension YapDatabaseFollowedSpace {
    /// The space and its server, for people.
    package var title: String {
        (name.isEmpty ? "a space" : "the space \"\(name)\"") + " of the server" + (address.map { " \($0)" } ?? "")
    }

    fileprivate func refusal(of path: String) -> String {
        "\(path) follows \(title). What is written without the server would be lost when the file follows it again, so nothing was "
            + "stored. Open the file with its server, or make its rows its own: `yap server detach --from \(path.shellWord)`."
    }
}

extension YapDatabaseReadTransaction {
    /// The space that the file follows in this state.
    package func followedSpace() throws -> YapDatabaseFollowedSpace? {
        guard let position = try fileValue(SpaceValue.position), !position.isEmpty else { return nil }
        return YapDatabaseFollowedSpace(position: position, address: try fileValue(SpaceValue.address))
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Whether rows of these collections were changed so far. O(collections).
    fileprivate func hasChangedRows(in collections: YapDatabaseServerCollections) -> Bool {
        let changes = changes.changes
        return changes.isAllCleared || changes.clearedCollections.contains { collections.contains($0.text) }
            || changes.rows.keys.contains { collections.contains($0.text) }
    }
}
