/// Following the commits of others.
extension YapDatabaseConnection {
    /// Brings what the connection remembers from the state seen last to the state with this mark, in which the store's
    /// transaction has just begun.
    /// - Returns: the commits in between, in order. Where their records are not there (another process wrote, or this
    ///   connection is very far behind), one that says so.
    func move(to mark: Snapshot.Mark, _ store: Store) throws -> [Commit] {
        if mark == current.mark { return [] }
        if let passed = database.commitLog.commits(after: current.number, through: mark.number),
            let first = passed.first, first.snapshot.mark == current.mark.next, let last = passed.last,
            last.snapshot.mark == mark
        {
            // Both ends fit, and the log has no gap: nobody else committed in between.
            for commit in passed { caches.apply(commit) }
            current = last.snapshot
            return passed
        }
        caches.removeAll()
        let known = database.commitLog.commit(mark.number).flatMap { $0.snapshot.mark == mark ? $0.snapshot : nil }
        let snapshot = try known ?? meet(mark, store)
        current = snapshot
        return [Commit(snapshot: snapshot, isExternal: true)]
    }

    /// Makes the acquaintance of a snapshot that another process committed, for all connections.
    private func meet(_ mark: Snapshot.Mark, _ store: Store) throws -> Snapshot {
        let snapshot = try load(mark, database.commitLog.latest.registrations, store)
        let met = Commit(snapshot: snapshot, isExternal: true)
        let adopted = database.commitLog.adopt(met)
        if adopted === met {
            database.announce(met)
            if !snapshot.missing.isEmpty { database.restoreMissingExtensions() }
        }
        return adopted.snapshot
    }

    private func load(_ mark: Snapshot.Mark, _ registrations: [Snapshot.Registration], _ store: Store) throws
        -> Snapshot
    {
        var snapshot = Snapshot(mark: mark)
        let reader = YapDatabaseReadTransaction(
            connection: self, store: store, codings: database.codings, snapshot: snapshot)
        for registration in registrations {
            let (name, registered) = (registration.name, registration.extension)
            let isUsable = try registered.isPersistent && store.registeredExtension(name).map { !$0.isStale } ?? false
            if isUsable {
                let state = try registered.loadState(name: name, transaction: reader)
                snapshot.extensions.append(Snapshot.Entry(name: name, extension: registered, state: state))
            } else {
                snapshot.missing.append(registration)
            }
        }
        snapshot.dormant = try store.dormantExtensions().subtracting(registrations.map(\.name))
        return snapshot
    }
}
