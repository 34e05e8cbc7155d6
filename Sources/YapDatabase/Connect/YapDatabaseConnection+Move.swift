/// Following the commits of others.
extension YapDatabaseConnection {
    /// Brings what the connection remembers from the state seen last to snapshot `number`, in which the store's
    /// transaction has just begun.
    /// - Returns: the commits in between, in order. Where their records are not there (another process wrote, or this
    ///   connection is very far behind), one that says so.
    func move(to number: Int, _ store: Store) throws -> [Commit] {
        if let passed = database.commits.commits(after: current.number, through: number) {
            for commit in passed { caches.apply(commit) }
            if let last = passed.last { current = last.snapshot }
            return passed
        }
        caches.removeAll()
        let snapshot = try database.commits.commit(number)?.snapshot ?? meet(number, store)
        current = snapshot
        return [Commit(snapshot: snapshot, isExternal: true)]
    }

    /// Makes the acquaintance of a snapshot that another process committed, for all connections.
    private func meet(_ number: Int, _ store: Store) throws -> Snapshot {
        var snapshot = Snapshot(number: number)
        let reader = YapDatabaseReadTransaction(
            connection: self, store: store, codings: database.codings, snapshot: snapshot)
        for var entry in database.commits.latest.extensions {
            entry.state = try entry.extension.loadState(name: entry.name, transaction: reader)
            snapshot.extensions.append(entry)
        }
        snapshot.dormant = try store.dormantExtensions().subtracting(snapshot.extensions.map(\.name))
        let met = Commit(snapshot: snapshot, isExternal: true)
        let adopted = database.commits.adopt(met)
        if adopted === met { database.announce(met) }
        return adopted.snapshot
    }
}
