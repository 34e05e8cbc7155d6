import Dispatch
import FileEngine
import Foundation

/// Extensions that lack rows, because programs that do not know them wrote: what is done about it in the background.
extension YapDatabase {
    /// How long complete states stay in memory alone, so that a process that writes often is not kept waiting each time.
    private static let storingDelay = DispatchTimeInterval.milliseconds(500)
    /// How long closing waits for a writer of another process.
    private static let closingPatience = 1_000

    /// Brings extensions up to date that another process's commit left behind: at once if they are not right, and soon if the file alone
    /// lacks them. If that fails, the next write does it or throws the error.
    func recoverExtensions(of snapshot: Snapshot) {
        hasMetOthers.store(true, ordering: .relaxed)
        if !snapshot.displaced.isEmpty { showUsedExtensions() }
        if snapshot.isBehind {
            if recovery.withLock({ $0.beginSoon() }) { recoveries.async(execute: recoverLater) }
        } else if snapshot.needsRecovery, recovery.withLock({ $0.beginLater() }) {
            recoveries.asyncAfter(deadline: .now() + Self.storingDelay, execute: recoverLater)
        }
    }

    private var recoverLater: @Sendable () -> Void {
        { [weak file, weak self] in file?.borrowing { self?.recover() } }
    }

    /// Loads what other processes committed, and does now what is to be done about it soon or later, and what waits for a rest.
    func loadAndRecover() async {
        await withCheckedContinuation { continuation in
            recoveries.async { [self] in
                // Also where no other process shows itself: a program that knows only SQLite does not. An error is one of the next transaction.
                try? loadForeignCommits()
                recover()
                if rest.isWaiting { storeAtRest() }
                continuation.resume()
            }
        }
    }

    private func recover() {
        recovery.withLock { $0.begin() }
        guard commitLog.latest.needsRecovery || commitLog.latest.isBehind else { return }
        do {
            let connection = try newConnection()
            let found = try connection.read { try compareExtensions($0) }
            recovery.withLock { $0.found = found }
            defer { recovery.withLock { $0.found = [:] } }
            try connection.readWrite { _ in }
        } catch let error as YapDatabaseError where error.code == .closed {
        } catch {
            Self.log(.warning, "Extensions that another process left behind are not up to date yet: \(error)")
        }
    }

    /// Whether lists are not right in the newest state, and will be soon.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if another program has registered something else under one of the names.
    func isRecovering(_ names: [String], for connection: YapDatabaseConnection) throws -> Bool {
        guard !names.isEmpty else { return false }
        // What another program committed a moment ago is perhaps not known yet.
        if let counter = try connection.exclusively({ try connection.store().handle.changeCounter }),
            newestVersions.allSatisfy({ $0.change != counter })
        {
            try loadForeignCommits()
        }
        let newest = commitLog.latest
        if let displaced = names.lazy.compactMap(newest.displaced).first { throw displaced.error }
        return !newest.isRight(names)
    }

    /// Whether another process may commit at any moment. One that comes for the first time opens the file before it does.
    var mayHaveOthers: Bool {
        if hasMetOthers.load(ordering: .relaxed) { return true }
        guard file.hasOthers else { return false }
        hasMetOthers.store(true, ordering: .relaxed)
        return true
    }

    /// Compares the extensions whose changed rows are not known with all rows.
    private func compareExtensions(
        _ transaction: YapDatabaseReadTransaction
    ) throws -> [String: ComparedExtension] {
        var found: [String: ComparedExtension] = [:]
        for entry in transaction.snapshot.extensions {
            guard let since = entry.behind?.unknownSince, let made = transaction.hooks(ofExtension: entry.name) else {
                continue
            }
            let rows = try made.compareWithRows { try checkOpen() }
            let isLarge = rows.map { $0.misplaced.count > MissedChanges.limit } ?? true
            found[entry.name] = ComparedExtension(
                unknownSince: since, rows: isLarge ? nil : rows.map(MissedChanges.init))
        }
        return found
    }

    /// Called when the database is closed: stores what is complete in memory, so that the next program need not fill it again. A writer of
    /// another process is waited for only for a moment.
    func storeExtensions() {
        guard !commitLog.latest.extensions.isEmpty else { return }
        // What another program committed a moment ago is perhaps not known yet.
        try? loadForeignCommits()
        let newest = commitLog.latest
        guard newest.needsRecovery, newest.missing.isEmpty,
            let store = try? Store(file, options: options, busyTimeout: Self.closingPatience)
        else { return }
        let connection = YapDatabaseConnection(
            database: self, store: store, snapshot: commitLog.oldest, config: connectionDefaults)
        connections.add(connection)
        try? connection.readWrite { _ in }
        try? connection.exclusively { try connection.shutDown() }
    }
}

/// What the background does about extensions.
struct ExtensionRecoveryQueue {
    private var (isSoon, isLater) = (false, false)
    /// What comparisons found, for the next write.
    var found: [String: ComparedExtension] = [:]

    /// - Returns: whether the caller must enqueue the work.
    mutating func beginSoon() -> Bool {
        defer { isSoon = true }
        return !isSoon
    }

    mutating func beginLater() -> Bool {
        defer { isLater = true }
        return !isSoon && !isLater
    }

    /// The work begins. What happens from now on asks for it again.
    mutating func begin() { (isSoon, isLater) = (false, false) }
}
