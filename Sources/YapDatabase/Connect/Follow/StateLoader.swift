import FileEngine
import ListChanges

/// Loads the state that a commit of another process or program made, with all extensions that this process has registered.
///
/// The committing process may not know an extension that is derived from the rows. Such an extension is completed here, before any reader
/// sees the state: docs/decisions/lists-beside-strangers.md.
struct StateLoader {
    let connection: YapDatabaseConnection
    let store: Store
    let version: FileVersion
    /// The newest state that this process knows.
    let newest: Snapshot
    /// What the commits from there to `version` changed, in order; nil if there are no records of them.
    let contents: [CommitContent]?
    /// The logs of these commits, one dictionary for each, by the name of the extension. If there are no records, one dictionary holds the logs
    /// that are made here. ``load()`` adds the logs of the extensions that it completes.
    var logs: [[String: any ExtensionLog]]

    private var entries: [Snapshot.Entry] = []
    private var missing: [Snapshot.Registration] = []
    private var displaced: [DisplacedExtension] = []
    /// The extensions to complete, in the order of their registration.
    private var incomplete: [Incomplete] = []

    /// An extension of `entries` whose state lacks changed rows.
    private struct Incomplete {
        let name: String
        /// The rows that the state lacks; nil if it is not known which.
        let rows: MissedChanges?
        /// Whether its state is that of ``newest``. Another one is of the file, at a later commit.
        let isKnown: Bool
        /// Whether what it reads from has changed otherwise than the rows say: a row was put into a manual view, something else is searched for.
        let followsMore: Bool
        /// Whether the file calls it up to date.
        let isUnmarked: Bool
    }

    init(
        _ connection: YapDatabaseConnection, _ store: Store, _ version: FileVersion, newest: Snapshot,
        contents: [CommitContent]? = nil, logs: [[String: any ExtensionLog]] = [[:]]
    ) {
        (self.connection, self.store, self.version, self.newest) = (connection, store, version, newest)
        (self.contents, self.logs) = (contents, logs)
    }

    /// - Returns: nil if the records do not explain the state.
    mutating func load() throws -> Snapshot? {
        var kept: [(Snapshot.Registration, stored: RegisteredExtension?)] = []
        for registration in newest.registrations {
            let stored = try store.registeredExtension(registration.name)
            if let other = stored.flatMap({ DisplacedExtension(registration, stored: $0) }) {
                displaced.append(other)
            } else {
                kept.append((registration, stored))
            }
        }
        displaceReaders(&kept)
        for (registration, stored) in kept where try !add(registration, stored) { return nil }
        missReaders()
        try complete()
        return Snapshot(
            version: version, extensions: entries, missing: missing, displaced: displaced,
            dormant: try store.dormantExtensions().subtracting(kept.map(\.0.name)))
    }

    /// What reads from a displaced extension is displaced, too: this process does not know what to read. So is what was declared over another list
    /// than the one that is registered.
    private mutating func displaceReaders(_ kept: inout [(Snapshot.Registration, stored: RegisteredExtension?)]) {
        let all = kept.map { (name: $0.0.name, extension: $0.0.extension) }
        kept.removeAll { registration, _ in
            guard let other = registration.extension.otherDeclaration(among: all) else { return false }
            displaced.append(DisplacedExtension(registration, declaredOverAnother: other))
            return true
        }
        var next = 0
        while next < displaced.count {
            let other = displaced[next]
            kept.removeAll { registration, _ in
                guard registration.extension.dependencies.contains(other.name) else { return false }
                displaced.append(DisplacedExtension(registration, from: other))
                return true
            }
            next += 1
        }
    }

    /// What reads from a missing extension is missing, too, and made again after it: a program that unregistered the one may not know the other.
    private mutating func missReaders() {
        var next = 0
        while next < missing.count {
            let name = missing[next].name
            for reader in entries where reader.extension.dependencies.contains(name) {
                entries.removeAll { $0.name == reader.name }
                incomplete.removeAll { $0.name == reader.name }
                var registration = Snapshot.Registration(name: reader.name, extension: reader.extension)
                registration.mustBeRebuilt = true
                missing.append(registration)
            }
            next += 1
        }
    }

    /// - Returns: false if the records do not explain what the file says.
    private mutating func add(_ registration: Snapshot.Registration, _ stored: RegisteredExtension?) throws -> Bool {
        let (name, registered) = (registration.name, registration.extension)
        let isStored = registered.isPersistent
        guard !isStored || stored != nil else {
            missing.append(registration)
            return true
        }
        if isStored, stored?.isStale == false {
            return try contents == nil ? addUnexplained(registration) : addStored(registration)
        }
        guard let before = newest.entry(name), registered.recovery != .rebuilding,
            !registered.dependencies.contains(where: { name in missing.contains { $0.name == name } })
        else {
            missing.append(registration)
            return true
        }
        return try addBehind(registration, before)
    }

    /// Adds an extension that the file has up to date, after commits with records.
    private mutating func addStored(_ registration: Snapshot.Registration) throws -> Bool {
        let (name, registered) = (registration.name, registration.extension)
        let before = newest.entry(name)
        let recorded = logs.compactMap { $0[name] }
        if !recorded.isEmpty {
            continueLogs(of: name, from: before)
        } else if let before, registered.recovery == .rebuilding {
            // A process that has not registered it may have removed deleted rows from its tables.
            let state = try load(registration)
            entries.append(Snapshot.Entry(name: name, extension: registered, state: state))
            if !before.state.hasStoredPages(of: state) {
                logs[logs.count - 1][name] = registered.log(isIncomplete: true)
            }
            return true
        } else if let before {
            // A program that writes with plain SQLite marks nothing as stale. So the file may call an extension up to date which is complete only
            // in the memory of this process.
            if before.state.isUnstored { return try addBehind(registration, before, isUnmarked: true) }
            // The commits did not change it, so the known state is still right.
            let behind = before.behind?.afterRecovery(changedRows(after: nil))
            entries.append(Snapshot.Entry(name: name, extension: registered, state: before.state, behind: behind))
            return true
        }
        let behind = before?.behind?.afterRecovery(changedRows(after: nil))
        let advanced = recorded.isEmpty ? nil : try before?.state.advanced(by: recorded, of: name, in: store)
        let state = try advanced ?? load(registration)
        entries.append(Snapshot.Entry(name: name, extension: registered, state: state, behind: behind))
        return true
    }

    /// Adds an extension that the file calls up to date, after commits without records. A program that writes with plain SQLite does not keep
    /// extensions up to date, so the file may be wrong about it.
    private mutating func addUnexplained(_ registration: Snapshot.Registration) throws -> Bool {
        let (name, registered) = (registration.name, registration.extension)
        let known = newest.entry(name)
        let isRight =
            newest.version.isNumberedThrough(version) && known?.behind?.unknownSince == nil
            && known?.state.isUnstored != true
        // An extension with entries that were added by hand does not only follow from the rows, but its other entries do.
        if try isRight || registered.recovery != .writing && !store.followsFromRows(extension: name) {
            entries.append(Snapshot.Entry(name: name, extension: registered, state: try load(registration)))
            return true
        }
        guard let before = known, registered.recovery != .rebuilding else {
            var registration = registration
            registration.mustBeRebuilt = true
            missing.append(registration)
            return true
        }
        return try addBehind(registration, before, isUnmarked: true)
    }

    /// Adds an extension that lacks changed rows.
    /// - Parameter isUnmarked: whether the file calls it up to date.
    private mutating func addBehind(
        _ registration: Snapshot.Registration, _ before: Snapshot.Entry, isUnmarked: Bool = false
    ) throws -> Bool {
        let (name, registered) = (registration.name, registration.extension)
        var (state, behind) = (before.state, before.behind)
        var rows: MissedChanges?
        var (isKnown, followsMore) = (true, false)
        if contents != nil {
            if !registered.isPersistent, try !isAffected(registered) {
                entries.append(before)
                return true
            }
            let lastLog = logs.lastIndex { $0[name] != nil }
            // The commit that changed it also marked it as stale.
            if lastLog == logs.count - 1 { return false }
            if lastLog != nil {
                continueLogs(of: name, from: before)
                (state, behind) = (try load(registration), behind?.afterRecovery(changedRows(after: nil)))
                isKnown = false
            }
            rows = changedRows(after: lastLog)
            followsMore = rows.map { changesMore(than: $0, after: lastLog, registered.dependencies) } ?? false
        } else if registered.isPersistent {
            let loaded = try load(registration)
            let isSame = before.state.hasStoredPages(of: loaded)
            if !isSame { (state, behind, isKnown) = (loaded, nil, false) }
            logs[0][name] = isSame ? nil : registered.log(isIncomplete: true)
        }
        if state.isFixed {
            if contents == nil, let log = registered.log(isIncomplete: false) { note(log, of: name) }
            entries.append(Snapshot.Entry(name: name, extension: registered, state: state))
            return true
        }
        if rows == nil {
            behind = Behind(rows: behind?.rows ?? MissedChanges(), unknownSince: version)
        }
        entries.append(Snapshot.Entry(name: name, extension: registered, state: state, behind: behind))
        incomplete.append(
            Incomplete(name: name, rows: rows, isKnown: isKnown, followsMore: followsMore, isUnmarked: isUnmarked))
        return true
    }

    private func load(_ registration: Snapshot.Registration) throws -> any ExtensionState {
        let reader = YapDatabaseReadTransaction(
            connection: connection, store: store, codings: connection.database.codings,
            snapshot: Snapshot(version: version))
        return try registration.extension.loadState(name: registration.name, transaction: reader)
    }

    /// Makes the first log of an extension begin at the state that this process knows, which may be ahead of the state that the file had.
    private mutating func continueLogs(of name: String, from before: Snapshot.Entry?) {
        guard let first = logs.firstIndex(where: { $0[name] != nil }), let log = logs[first][name] else { return }
        logs[first][name] = before?.state.log(continuing: log) ?? log
    }

    /// Returns the rows that the commits after one of them changed, or all commits for nil; nil if a record does not name its rows.
    private func changedRows(after index: Int?) -> MissedChanges? {
        var rows = MissedChanges()
        for content in contents?[((index ?? -1) + 1)...] ?? [] where !rows.add(content) { return nil }
        return contents == nil ? nil : rows
    }

    /// Whether what an extension reads from has changed otherwise than the rows, after those of one commit. O(operations).
    ///
    /// Views that follow the rows name no other rows in their logs, apart from those that they placed again on the way to the file.
    private func changesMore(than rows: MissedChanges, after index: Int?, _ dependencies: Set<String>) -> Bool {
        let removed = Set(rows.removed.map(\.key))
        func isExplained(_ key: RowKey) -> Bool { rows.changed[key] != nil || removed.contains(key) }
        return dependencies.contains { name in
            if incomplete.contains(where: { $0.name == name && $0.followsMore }) { return true }
            let changesByItself = newest.entry(name)?.extension.changesByItself == true
            return logs[((index ?? -1) + 1)...].contains { logs in
                guard let log = logs[name] else { return false }
                return !log.names(only: changesByItself ? isExplained : nil, afterAllWereRemoved: rows.isAllGone)
            }
        }
    }

    private func isAffected(_ registered: any ExtensionHooks) throws -> Bool {
        contents?.contains { $0.affects(registered) { newest.entry($0)?.extension } } ?? true
    }
}

// MARK: Completing

extension StateLoader {
    /// If it is not known which rows changed, an extension over at most so many rows is compared with all of them at once.
    private static let fewRows = 1_000

    private mutating func complete() throws {
        guard !incomplete.isEmpty else { return }
        // The connection's caches are of the state before.
        let caches = connection.caches
        connection.caches = RowCaches(connection.config)
        defer { connection.caches = caches }
        let base = Snapshot(version: version, extensions: entries)
        let transaction = YapDatabaseReadWriteTransaction(
            connection: connection, store: store, codings: connection.database.codings, snapshot: base,
            completingWith: WriterMemory())
        connection.caches.begin(with: transaction.codings)
        defer { transaction.invalidate() }
        transaction.rearranging = separateViews
        transaction.asking = Set(incomplete.filter(\.followsMore).map(\.name))
        do {
            for one in incomplete { try place(one, transaction) }
            for (name, _) in transaction.extensions { try transaction.extensionTransactions[name]?.prepareCommit() }
            if let failure = transaction.failure { throw failure }
        } catch {
            try store.checkTransaction()
            return giveUp(error)
        }
        leaveToWrite(transaction)
        for index in entries.indices {
            let name = entries[index].name
            let made = transaction.extensionTransactions[name]
            entries[index] = Snapshot.Entry(
                name: name, extension: entries[index].extension, state: made?.commitState ?? entries[index].state,
                behind: transaction.behind[name])
            guard let made else { continue }
            let unchanged = contents == nil ? entries[index].extension.log(isIncomplete: false) : nil
            if let log = made.commitLog ?? unchanged { note(log, of: name) }
        }
    }

    /// The incomplete views that cannot be brought up to date by the single changes of the extension that they follow: the states of the two are of
    /// different commits, or the extension also changed where no row did.
    private var separateViews: Set<String> {
        var names: Set<String> = []
        for one in incomplete {
            let dependencies = entries.first { $0.name == one.name }?.extension.dependencies ?? []
            let followed = incomplete.filter { dependencies.contains($0.name) }
            if one.followsMore || followed.contains(where: { !one.isKnown || !$0.isKnown || names.contains($0.name) }) {
                names.insert(one.name)
            }
        }
        return names
    }

    /// Leaves the rows that cannot be decoded to the next write transaction, which places them again and notes them in the file.
    private func leaveToWrite(_ transaction: YapDatabaseReadWriteTransaction) {
        for (name, rows, _) in transaction.leftOutRows.popChanges() {
            var found = RowComparison()
            for case .out(let key, _, _) in rows.values { found.misplaced.append(key) }
            guard !found.misplaced.isEmpty else { continue }
            transaction.behind[name, default: Behind(isUnmarked: true)].rows.formUnion(MissedChanges(found))
        }
    }

    /// Adds a log to those of the last commit, unless that commit has one of the extension.
    private mutating func note(_ log: any ExtensionLog, of name: String) {
        guard logs[logs.count - 1][name] == nil else { return }
        logs[logs.count - 1][name] = log
    }

    private func place(_ one: Incomplete, _ transaction: YapDatabaseReadWriteTransaction) throws {
        guard let registered = transaction.extensions.first(where: { $0.name == one.name })?.extension,
            let made = transaction.hooks(ofExtension: one.name)
        else { return }
        let needed = registered.dependencies.compactMap { transaction.behind[$0] }
        var rows = RowsToPlace()
        if let known = one.rows {
            rows = try transaction.rowsToPlace(known)
            if registered.recovery == .writing || !needed.isEmpty {
                transaction.behind[one.name, default: Behind()].rows.formUnion(known)
                if one.followsMore { transaction.behind[one.name]?.followsMore = true }
                if one.isUnmarked { transaction.behind[one.name]?.isUnmarked = true }
            }
        } else if try made.numberOfRowsToCompare() <= Self.fewRows, needed.allSatisfy({ $0.unknownSince == nil }),
            let found = try made.compareWithRows({})
        {
            let known = MissedChanges(found)
            rows = try transaction.rowsToPlace(known)
            rows.mayLackOthers = true
            transaction.behind[one.name] = nil
            if registered.recovery == .writing || !needed.isEmpty {
                transaction.behind[one.name] = Behind(rows: known, isUnmarked: one.isUnmarked)
            }
        } else {
            rows.removed = try made.goneRows().map(RemovedRow.init(unknownKeyOf:))
        }
        for dependency in needed where dependency.unknownSince != nil {
            transaction.behind[one.name, default: Behind()].unknownSince = dependency.unknownSince
        }
        transaction.placed.insert(one.name)
        try made.place(rows)
    }

    /// Makes the extensions that could not be completed missing, and those that depend on them. The next write fills them again.
    private mutating func giveUp(_ error: any Error) {
        YapDatabase.log(
            .warning, "Extensions could not follow a commit of another process and are filled again: \(error)")
        let names = Set(incomplete.map(\.name))
        for entry in entries where names.contains(entry.name) || !entry.extension.dependencies.isDisjoint(with: names) {
            missing.append(
                Snapshot.Registration(name: entry.name, extension: entry.extension, mustBeRebuilt: true))
        }
        entries.removeAll { entry in missing.contains { $0.name == entry.name } }
    }
}

extension RemovedRow {
    /// Creates the entry of a row that a program without records removed. Its key is not known.
    init(unknownKeyOf rowid: Int64) {
        self.init(rowid: rowid, key: .unknown(rowid: rowid))
    }
}

extension MissedChanges {
    init(_ found: RowComparison) {
        self.init()
        add(found.misplaced, gone: found.gone.map(RemovedRow.init(unknownKeyOf:)))
    }
}
