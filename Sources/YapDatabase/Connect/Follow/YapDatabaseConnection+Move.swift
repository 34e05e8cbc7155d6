/// Moves a connection across commits of others.
extension YapDatabaseConnection {
    /// Moves the connection and its caches from the state that it last read to the one that the store's transaction has just
    /// begun to read.
    /// - Parameter start: the end of the commit log before that transaction began.
    /// - Returns: the commits between the two, in order. If a record is missing (a program without records wrote, the file
    ///   was restored, or this connection is far behind), a single commit that says that anything may have changed. A registration that made
    ///   no commit is one without changes, of the same state. Nil if
    ///   the log has changed since `start`, so that the state may be outdated and the caller must begin again.
    func move(to version: FileVersion, after start: CommitLog.Start, _ store: Store) throws -> [Commit]? {
        if version == current.version {
            if let registration = start.registration, registration.version == version,
                registration.snapshot !== current
            {
                current = registration.snapshot
                return [registration]
            }
            if !current.isLoaded {
                guard let snapshot = try loaded(current, store) else { return nil }
                current = snapshot
            }
            return []
        }
        if let between = try commits(through: version) ?? foreignCommits(through: version, store) {
            guard let snapshot = try loaded(between[between.count - 1].snapshot, store) else { return nil }
            for commit in between { caches.apply(commit) }
            current = snapshot
            return between
        }
        database.waitForVacuum(to: version)
        caches.removeAll()
        let known = database.commitLog.commit(version.number).flatMap { $0.version == version ? $0 : nil }
        let before = current.version
        let found = try known.map { try loaded($0.snapshot, store) } ?? loadUnrecorded(version, after: start.tip, store)
        guard let found else { return nil }
        current = found
        // What unknown commits did to lists is known, if they lead on from the state that was read last.
        return database.commitLog.path(from: before, to: version) ?? [Commit(snapshot: found, isExternal: true)]
    }

    /// The records of the commits between the state last read and that of `version`; nil if one is missing.
    private func commits(through version: FileVersion) -> [Commit]? {
        // If both ends match, the log has every commit between them.
        guard let between = database.commitLog.commits(after: current.number, through: version.number),
            let first = between.first, first.version == current.version.next, let last = between.last,
            last.version == version
        else { return nil }
        return between
    }

    /// Like ``commits(through:)``, after loading the records that other processes stored in the file.
    private func foreignCommits(through version: FileVersion, _ store: Store) throws -> [Commit]? {
        // Other connections extend the log too. If one of them is faster, the next attempt begins at the new end.
        for _ in 0..<Self.attemptLimit {
            let newest = database.commitLog.latest
            guard try extendLog(from: newest, version, store) else { break }
            if let between = commits(through: version) { return between }
            if database.commitLog.latest === newest { break }
        }
        return commits(through: version)
    }

    private static let attemptLimit = 20

    /// Extends the log, which all connections share, by the commits that other processes recorded since its end.
    /// - Returns: false if the file does not have all of their records.
    private func extendLog(from newest: Snapshot, _ version: FileVersion, _ store: Store) throws -> Bool {
        guard let records = store.records(from: newest.version, to: version) else { return false }
        var (contents, logs): ([CommitContent], [[String: any ExtensionLog]]) = ([], [])
        for record in records {
            guard let content = CommitContent(record.content), !content.isIncomplete,
                let loaded = loadLogs(content, newest)
            else { return false }
            contents.append(content)
            logs.append(loaded)
        }
        var loader = StateLoader(self, store, version, newest: newest, contents: contents, logs: logs)
        guard let snapshot = try loader.load(), snapshot.isReached(from: newest, by: loader.logs),
            try snapshot.hasRows(of: logs[logs.count - 1], in: store)
        else { return false }
        let commits = records.indices.map { index in
            Commit(
                snapshot: index == records.count - 1 ? snapshot : Snapshot(notLoaded: records[index].after),
                edits: contents[index].edits, logs: loader.logs[index], isForeign: true,
                before: records[index].before)
        }
        database.forgetSpace()
        if database.commitLog.extend(by: commits, after: newest) {
            database.announce()
            database.recoverExtensions(of: snapshot)
            if contents.contains(where: { $0.edits.touches(collection: RowTable.mutations) }) {
                database.authority?.mutationsChanged()
            }
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

    /// A state of the log; loads it if it is not in memory. Nil if an extension could be shown in a later state only: the caller begins
    /// again.
    private func loaded(_ snapshot: Snapshot, _ store: Store) throws -> Snapshot? {
        if snapshot.isLoaded { return snapshot }
        let registrations = database.commitLog.latest.registrations
        var loader = StateLoader(
            self, store, snapshot.version, newest: Snapshot(version: snapshot.version, missing: registrations))
        let loaded = try loader.load()
        if let loaded, loaded.missing.isEmpty || database.commitLog.tip == snapshot.version { return loaded }
        return nil
    }

    /// Loads a state to which no record leads, and restarts the log there. Nil if the log has changed since `tip`.
    private func loadUnrecorded(_ version: FileVersion, after tip: FileVersion, _ store: Store) throws -> Snapshot? {
        let newest = database.commitLog.latest
        var loader = StateLoader(self, store, version, newest: newest)
        guard let snapshot = try loader.load() else { return nil }
        let commit = Commit(snapshot: snapshot, logs: loader.logs[0], isExternal: true, before: newest.version)
        database.forgetSpace()
        guard let adopted = database.commitLog.adopt(commit, after: tip, likeThat: newest) else { return nil }
        if adopted === commit {
            database.announce()
            database.recoverExtensions(of: snapshot)
            database.authority?.mutationsChanged()
        }
        return adopted.snapshot
    }
}

extension CommitContent {
    /// Whether the commit, of another process, may change what an extension in memory derives.
    /// - Parameter registered: returns an extension that another one depends on.
    func affects(_ derived: any ExtensionHooks, _ registered: (String) -> (any ExtensionHooks)?) -> Bool {
        // Its own collections, too: joined rows depend on the rows that they name, and derived rows also change by themselves, when a moment
        // comes or when they are recovered. One that names no collections and depends on another reads no rows but the other's.
        if derived.dependencies.isEmpty || derived.collections != nil, changes.touch(derived.collections) {
            return true
        }
        return derived.dependencies.contains { name in
            logs[name] != nil || (registered(name).map { affects($0, registered) } ?? true)
        }
    }
}

extension RowChanges {
    /// Whether a row of an allowed collection changed; nil allows all.
    fileprivate func touch(_ allowed: YapWhitelistBlacklist?) -> Bool {
        func isAllowed(_ collection: ExactString) -> Bool { allowed?.isAllowed(collection.text) ?? true }
        return isAllCleared || clearedCollections.contains(where: isAllowed) || rows.keys.contains(where: isAllowed)
    }
}
