import FileEngine

/// Registers extensions whose content is in the file, or follows from others, without a commit. See docs/decisions/registering-without-a-commit.md.
extension YapDatabaseConnection {
    /// Registers extensions that the file has already, as a program does when it opens its lists again. It writes nothing, so it waits for no other
    /// program and for no disk. It takes the writers' turn of this process, so that no write misses an extension.
    ///
    /// - Returns: the names of the extensions that were not filled. Nil if a stored extension has to be filled, or if anything else has to be
    ///   written: then nothing is registered, and a write transaction has to do it.
    func load(_ batch: [(name: String, extension: any ExtensionHooks)], replacing: Bool) throws -> [String]? {
        try exclusively {
            try database.writeGate.pass {
                let transaction = try beginLoading()
                defer { transaction.invalidate() }
                guard let (after, loaded) = try? transaction.load(batch, replacing: replacing),
                    database.commitLog.register(after, on: current, by: self)
                else {
                    // What was thrown is thrown by the write transaction, if it is still the case.
                    try transaction.abandon()
                    return nil
                }
                current = after
                database.writeGate.memory.end(at: after.version, transaction.links)
                database.announce()
                transaction.callCompletions()
                return loaded
            }
        }
    }

    /// Begins a transaction on the newest state that writes nothing.
    private func beginLoading() throws -> YapDatabaseReadWriteTransaction {
        let reading = try beginRead().transaction
        defer { reading.invalidate() }
        database.writeGate.memory.begin(at: current.version, with: reading.codings)
        return YapDatabaseReadWriteTransaction(
            connection: self, store: reading.store, codings: reading.codings, snapshot: current, isLoading: true)
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Registers extensions without a write, and ends the transaction.
    /// - Returns: the state with them, and the names of those that were not filled; nil if there is something to write.
    /// - Throws: also if something had to be written.
    fileprivate func load(
        _ batch: [(name: String, extension: any ExtensionHooks)], replacing: Bool
    ) throws -> (after: Snapshot, loaded: [String])? {
        // Another state has no version by which a connection could recognize it.
        guard snapshot.version.isExact, !snapshot.needsRecovery, missing.isEmpty, displaced.isEmpty else { return nil }
        let (after, loaded) = try store.refusingWrites {
            try loadLeftOutRows()
            let loaded = try register(batch, replacing: replacing, nil)
            return (try finishLoading(Set(batch.map(\.name))), loaded)
        }
        guard let after else { return nil }
        try store.commit()
        return (after, loaded)
    }
}
