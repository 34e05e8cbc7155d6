/// Moves a connection across commits of others.
extension YapDatabaseConnection {
    /// Moves the connection and its caches from the state that it last read to the one that the store's transaction has just
    /// begun to read.
    /// - Parameter tip: the end of the commit log before that transaction began.
    /// - Returns: the commits between the two, in order. If a record is missing (a program without records wrote, the file
    ///   was restored, or this connection is far behind), a single commit that says that anything may have changed. Nil if
    ///   the log has changed since `tip`, so that the state may be outdated and the caller must begin again.
    func move(to mark: FileVersion, after tip: FileVersion, _ store: Store) throws -> [Commit]? {
        if mark == current.mark {
            if !current.isLoaded { current = try loaded(current, store) }
            return []
        }
        if let between = try commits(through: mark) ?? foreignCommits(through: mark, store) {
            for commit in between { caches.apply(commit) }
            current = try loaded(between[between.count - 1].snapshot, store)
            return between
        }
        database.waitForVacuum(to: mark)
        caches.removeAll()
        let known = database.commitLog.commit(mark.number).flatMap { $0.mark == mark ? $0.snapshot : nil }
        guard let snapshot = try known.map({ try loaded($0, store) }) ?? loadUnrecorded(mark, after: tip, store) else {
            return nil
        }
        current = snapshot
        return [Commit(snapshot: snapshot, isExternal: true)]
    }

    /// The records of the commits between the state last read and that of `mark`; nil if one is missing.
    private func commits(through mark: FileVersion) -> [Commit]? {
        // If both ends match, the log has every commit between them.
        guard let between = database.commitLog.commits(after: current.number, through: mark.number),
            let first = between.first, first.mark == current.mark.next, let last = between.last,
            last.mark == mark
        else { return nil }
        return between
    }

    /// Like ``commits(through:)``, after loading the records that other processes stored in the file.
    private func foreignCommits(through mark: FileVersion, _ store: Store) throws -> [Commit]? {
        // Other connections extend the log too. If one of them is faster, the next attempt begins at the new end.
        for _ in 0..<Self.attemptLimit {
            let newest = database.commitLog.latest
            guard try extendLog(from: newest, mark, store) else { break }
            if let between = commits(through: mark) { return between }
            if database.commitLog.latest.mark == newest.mark { break }
        }
        return commits(through: mark)
    }

    private static let attemptLimit = 20

    /// Extends the log, which all connections share, by the commits that other processes recorded since its end.
    /// - Returns: false if the file does not have all of their records.
    private func extendLog(from newest: Snapshot, _ mark: FileVersion, _ store: Store) throws -> Bool {
        guard let records = store.records(from: newest.mark, to: mark) else { return false }
        var (contents, logs): ([CommitContent], [[String: any ExtensionLog]]) = ([], [])
        for record in records {
            guard let content = CommitContent(record.content), !content.isIncomplete,
                let loaded = loadLogs(content, newest)
            else { return false }
            contents.append(content)
            logs.append(loaded)
        }
        // Keeps extensions in memory whose content no commit touched. Otherwise two processes with the same view in memory would rebuild
        // it in answer to each other, endlessly.
        let kept = newest.extensions.filter { entry in
            !entry.extension.isPersistent
                && (entry.state.isFixed
                    || !contents.contains { $0.affects(entry.extension) { newest.entry($0)?.extension } })
        }
        let snapshot = try load(mark, newest.registrations, store, keeping: kept)
        guard snapshot.isReached(from: newest, by: logs) else { return false }
        let commits = records.indices.map { index in
            Commit(
                snapshot: index == records.count - 1 ? snapshot : Snapshot(notLoaded: records[index].after),
                edits: RowEdits(contents[index].changes), logs: logs[index], isForeign: true)
        }
        if database.commitLog.extend(by: commits, after: newest.mark) {
            database.announce()
            if !snapshot.missing.isEmpty { database.restoreMissingExtensions() }
        }
        return true
    }

    /// The logs of the extensions that this process has registered; nil if one of them is invalid.
    private func loadLogs(_ content: CommitContent, _ newest: Snapshot) -> [String: any ExtensionLog]? {
        var logs: [String: any ExtensionLog] = [:]
        for (name, bytes) in content.logs {
            guard let entry = newest.entry(name) else { continue }
            guard let log = entry.extension.loadLog(bytes[...]) else { return nil }
            logs[name] = log
        }
        return logs
    }

    /// A state of the log; loads it if it is not in memory.
    private func loaded(_ snapshot: Snapshot, _ store: Store) throws -> Snapshot {
        snapshot.isLoaded ? snapshot : try load(snapshot.mark, database.commitLog.latest.registrations, store)
    }

    /// Loads a state to which no record leads, and restarts the log there. Nil if the log has changed since `tip`.
    private func loadUnrecorded(_ mark: FileVersion, after tip: FileVersion, _ store: Store) throws -> Snapshot? {
        let newest = database.commitLog.latest
        var registrations = newest.registrations
        if !newest.mark.isNumberedThrough(mark) {
            for index in registrations.indices { registrations[index].mustBeRebuilt = true }
        }
        let snapshot = try load(mark, registrations, store)
        let loaded = Commit(snapshot: snapshot, isExternal: true)
        guard let adopted = database.commitLog.adopt(loaded, after: tip) else { return nil }
        if adopted === loaded {
            database.announce()
            if !snapshot.missing.isEmpty { database.restoreMissingExtensions() }
        }
        return adopted.snapshot
    }

    /// - Parameter kept: extensions in memory whose content is that of the state too.
    private func load(
        _ mark: FileVersion, _ registrations: [Snapshot.Registration], _ store: Store,
        keeping kept: [Snapshot.Entry] = []
    ) throws -> Snapshot {
        var (extensions, missing): ([Snapshot.Entry], [Snapshot.Registration]) = ([], [])
        var displaced: [DisplacedExtension] = []
        let reader = YapDatabaseReadTransaction(
            connection: self, store: store, codings: database.codings, snapshot: Snapshot(mark: mark))
        for registration in registrations {
            let (name, registered) = (registration.name, registration.extension)
            let stored = try store.registeredExtension(name)
            if let other = stored.flatMap({ DisplacedExtension(registration, stored: $0) }) {
                displaced.append(other)
            } else if try isUsable(registration, stored, store) {
                let state = try registered.loadState(name: name, transaction: reader)
                extensions.append(Snapshot.Entry(name: name, extension: registered, state: state))
            } else if let entry = kept.first(where: { $0.name == name }) {
                extensions.append(entry)
            } else {
                missing.append(registration)
            }
        }
        return Snapshot(
            mark: mark, extensions: extensions, missing: missing, displaced: displaced,
            dormant: try store.dormantExtensions().subtracting(registrations.map(\.name)))
    }

    /// Whether the stored content of an extension can be used. Content that a user put there is never rebuilt.
    private func isUsable(
        _ registration: Snapshot.Registration, _ stored: RegisteredExtension?, _ store: Store
    ) throws -> Bool {
        guard registration.extension.isPersistent, let stored, !stored.isStale else { return false }
        return try !registration.mustBeRebuilt || !store.followsFromRows(extension: registration.name)
    }
}
