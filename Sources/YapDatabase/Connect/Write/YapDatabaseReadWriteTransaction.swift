import Dispatch
import ListChanges

/// A transaction that writes. It sees what it wrote; others see all of it at once, after it ends.
///
/// There is one at a time for each database. If the closure throws, or if any write in it failed midway, nothing of the
/// transaction remains, even if the closure catches the error.
public final class YapDatabaseReadWriteTransaction: YapDatabaseReadTransaction {
    /// Handed to everybody with the notification of this commit, under ``YapDatabaseCustomKey``.
    public var yapDatabaseModifiedNotificationCustomObject: Any?

    /// What was changed so far.
    var changes = RowEdits()
    /// Values for the caches of other connections.
    var shared: [RowKey: SharedRow] = [:]
    /// The extensions that hear of writes, in the order of their registration.
    var extensions: [(name: String, extension: YapDatabaseExtension)]
    var dormant: Set<String>
    var displaced: [DisplacedExtension]
    private var rowChangeCount = 0
    private var isRolledBack = false
    private var failure: (any Error)?
    private var completions: [(queue: DispatchQueue?, block: @Sendable () -> Void)] = []

    override init(connection: YapDatabaseConnection, store: Store, codings: CodingTable, snapshot: Snapshot) {
        extensions = snapshot.extensions.map { ($0.name, $0.extension) }
        dormant = snapshot.dormant
        displaced = snapshot.displaced
        super.init(connection: connection, store: store, codings: codings, snapshot: snapshot)
    }

    /// Drops everything that the transaction wrote, at its end. Writes after this call are dropped too.
    public func rollback() { isRolledBack = true }

    /// Adds a closure to be called after the transaction was committed, on the main queue unless another is given. It
    /// is not called when the transaction is rolled back.
    public func addCompletionQueue(_ queue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void) {
        completions.append((queue, completionBlock))
    }

    override var keyChanges: Int { rowChangeCount }

    override func makeExtensionTransaction(_ name: String) -> YapDatabaseExtensionTransaction? {
        guard extensions.contains(where: { $0.name == name }) else { return nil }
        return super.makeExtensionTransaction(name)
    }
}

// MARK: Failing as a whole

extension YapDatabaseReadWriteTransaction {
    /// Runs a step that may leave things half done: if it throws, the transaction can only roll back.
    func step<Value>(_ body: () throws -> Value) throws -> Value {
        try throwEarlierFailure()
        do {
            return try body()
        } catch {
            failure = error
            throw error
        }
    }

    /// Runs a step that inserts or removes rows.
    func rowStep<Value>(_ body: () throws -> Value) throws -> Value {
        rowChangeCount += 1
        return try step(body)
    }

    /// Tells every extension, in the order of their registration.
    func tellExtensions(_ tell: (YapDatabaseExtensionTransaction) throws -> Void) throws {
        for (name, _) in extensions {
            if let listener = ext(name) { try tell(listener) }
        }
    }

    private func throwEarlierFailure() throws {
        guard let failure else { return try store.checkTransaction() }
        throw YapDatabaseError(
            .transactionFailed, "An earlier error of this transaction makes it roll back. Start a new one.",
            underlying: failure)
    }

    /// Rows change in this transaction. Extensions of the file that sleep must be rebuilt when they are next registered; one
    /// that another program arranges can be neither kept in step nor left behind.
    func noteRowsChange() throws {
        if let displaced = displaced.first { throw displaced.error }
        guard !dormant.isEmpty else { return }
        for name in dormant.sorted() { try store.markStale(extension: name) }
        dormant = []
    }
}

// MARK: The end

extension YapDatabaseReadWriteTransaction {
    /// Commits, or rolls back where that was asked for. If it throws, `abandon` has to follow.
    func finish() throws {
        try throwEarlierFailure()
        if isRolledBack { return try abandon() }
        for (name, _) in extensions { try extensionTransactions[name]?.prepareCommit() }
        guard let commit = makeCommit() else { return try store.commit() }
        try store.setSnapshotNumber(commit.snapshot.number)
        try connection.database.commit(commit, on: snapshot, in: store)
        connection.current = commit.snapshot
        connection.caches.endWrite(at: commit.snapshot.mark)
        connection.database.announce()
        for (queue, block) in completions { (queue ?? .main).async(execute: block) }
    }

    /// Drops everything.
    func abandon() throws {
        // The caches hold what was written here.
        connection.caches.removeAll()
        try store.rollback()
    }

    /// The record of what happened, nil when nothing did.
    private func makeCommit() -> Commit? {
        var logs: [String: any ExtensionLog] = [:]
        for (name, _) in extensions { logs[name] = extensionTransactions[name]?.commitLog }
        let custom = yapDatabaseModifiedNotificationCustomObject.map(SharedValue.init(value:))
        let isRegistering = !extensions.elementsEqual(snapshot.extensions) { $0.name == $1.name }
        guard isRegistering || !changes.isEmpty || !logs.isEmpty || custom != nil || store.hasWritten else {
            return nil
        }
        let next = Snapshot(
            mark: snapshot.mark.next, extensions: extensions.map(entry), displaced: displaced, dormant: dormant)
        return Commit(
            snapshot: next, edits: changes, shared: shared, logs: logs, custom: custom, author: connection)
    }

    private func entry(_ name: String, _ registered: YapDatabaseExtension) -> Snapshot.Entry {
        let state = extensionTransactions[name]?.commitState ?? snapshot.entry(name)?.state ?? NoState()
        return Snapshot.Entry(name: name, extension: registered, state: state)
    }
}
