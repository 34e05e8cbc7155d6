/// Following the commits of others.
extension YapDatabaseConnection {
    /// Brings what the connection remembers from the state seen last to the state with this mark, in which the store's
    /// transaction has just begun.
    /// - Returns: the commits in between, in order. Where their records are not there (another process wrote, or this
    ///   connection is very far behind), one that says so. Nil where others have met a newer state of another process
    ///   since the transaction began, from which no way leads back to this one: then begin again.
    func move(to mark: Snapshot.Mark, _ store: Store) throws -> [Commit]? {
        if mark == current.mark { return [] }
        if let passed = try commits(through: mark) ?? learnedCommits(through: mark, store) {
            for commit in passed { caches.apply(commit) }
            let made = passed[passed.count - 1].snapshot
            current = made.isLoaded ? made : try load(mark, database.commitLog.latest.registrations, store)
            return passed
        }
        database.waitForVacuum(to: mark)
        caches.removeAll()
        let known = database.commitLog.commit(mark.number).flatMap { $0.snapshot.mark == mark ? $0.snapshot : nil }
        guard let snapshot = try known ?? meet(mark, store) else { return nil }
        current = snapshot
        return [Commit(snapshot: snapshot, isExternal: true)]
    }

    /// The records of the commits between the state seen last and the one with the mark, nil when one is missing.
    private func commits(through mark: Snapshot.Mark) -> [Commit]? {
        // When both ends fit, nobody else committed in between, for the log has no gap.
        guard let passed = database.commitLog.commits(after: current.number, through: mark.number),
            let first = passed.first, first.snapshot.mark == current.mark.next, let last = passed.last,
            last.snapshot.mark == mark
        else { return nil }
        return passed
    }

    /// Like ``commits(through:)``, with what the journal knows of other processes.
    private func learnedCommits(through mark: Snapshot.Mark, _ store: Store) throws -> [Commit]? {
        var tried: Snapshot.Mark?
        // Other connections learn too: where one of them was faster, its commits lead to the mark or closer to it.
        while true {
            let newest = database.commitLog.latest
            if let passed = commits(through: mark) { return passed }
            if newest.mark == tried { return nil }
            tried = newest.mark
            try learn(from: newest, mark, store)
        }
    }

    /// Asks the journal what other processes did since the newest commit that was known here, and takes that over into
    /// the log, for all connections, unless somebody else has done so meanwhile.
    private func learn(from newest: Snapshot, _ mark: Snapshot.Mark, _ store: Store) throws {
        guard let entries = database.journal.entries(from: newest.mark, to: mark) else { return }
        let snapshot = try load(mark, newest.registrations, store)
        let commits = entries.map { entry in
            Commit(
                snapshot: entry.after == mark ? snapshot : Snapshot(notLoaded: entry.after),
                edits: RowEdits(entry.changes),
                logs: entry.logs, isForeign: true)
        }
        if database.commitLog.extend(by: commits, after: newest.mark) {
            database.announce()
            if !snapshot.missing.isEmpty { database.restoreMissingExtensions() }
        }
    }

    /// Makes the acquaintance of a snapshot that another process committed, for all connections. Nil when one of them has
    /// met a newer one.
    private func meet(_ mark: Snapshot.Mark, _ store: Store) throws -> Snapshot? {
        let newest = database.commitLog.latest
        var registrations = newest.registrations
        if !newest.mark.isNumberedThrough(mark) {
            for index in registrations.indices { registrations[index].mustBeMadeAnew = true }
        }
        let snapshot = try load(mark, registrations, store)
        let met = Commit(snapshot: snapshot, isExternal: true)
        guard let adopted = database.commitLog.adopt(met) else { return nil }
        if adopted === met {
            database.announce()
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
            let stored = try store.registeredExtension(name)
            if let displaced = stored.flatMap({ DisplacedExtension(registration, stored: $0) }) {
                snapshot.displaced.append(displaced)
            } else if try isUsable(registration, stored, store) {
                let state = try registered.loadState(name: name, transaction: reader)
                snapshot.extensions.append(Snapshot.Entry(name: name, extension: registered, state: state))
            } else {
                snapshot.missing.append(registration)
            }
        }
        snapshot.dormant = try store.dormantExtensions().subtracting(registrations.map(\.name))
        return snapshot
    }

    /// Whether what the file has of an extension follows from its rows. What a user put there by hand is never made anew.
    private func isUsable(
        _ registration: Snapshot.Registration, _ stored: RegisteredExtension?, _ store: Store
    ) throws -> Bool {
        guard registration.extension.isPersistent, let stored, !stored.isStale else { return false }
        return try !registration.mustBeMadeAnew || !store.followsFromRows(extension: registration.name)
    }
}
