import Dispatch
import ListChanges

/// A transaction that writes. It reads its own writes; other transactions see all of them after the commit.
///
/// A database has one at a time. It rolls back if the closure throws, or if a write failed midway, even if the closure
/// catches that error.
///
/// Writing throws ``YapDatabaseError``: with `encodingFailed` or `valueTooLarge`, after which the transaction may
/// continue; with `diskFull`, `inputOutput`, `corrupt` or `badExtension`, after which it is lost and later writes throw
/// `transactionFailed`. A write costs O(log rows), and what each registered extension does with the row. See
/// <doc:Errors>.
public final class YapDatabaseReadWriteTransaction: YapDatabaseReadTransaction {
    /// An object for the commit's notification, under ``YapDatabaseCustomKey``, and for
    /// ``YapDatabaseCommit/customObject``.
    public var yapDatabaseModifiedNotificationCustomObject: Any?

    /// What the program says to the database's ``WriteAuthority``.
    package var authorityValue: (any Sendable)?
    // Unchecked, here and below: one thread uses them, and no body that changes one of them runs code of the app or uses it again.
    /// The changes so far.
    @exclusivity(unchecked) var changes = RowEdits()
    /// Set while a mutation runs.
    @exclusivity(unchecked) package var recording: ReplacedRowRecording?
    /// Values for the caches of other connections.
    var shared: [RowKey: CacheUpdate] = [:]
    /// Written objects, for loops that decide by them whether the commit concerns them.
    @exclusivity(unchecked) var written: WrittenObjects
    /// The extensions to notify of writes, in the order of their registration.
    @exclusivity(unchecked) var extensions: [(name: String, extension: any ExtensionHooks)] {
        didSet { extensionsVersion += 1 }
    }
    /// Changes whenever `extensions` do.
    @exclusivity(unchecked) private(set) var extensionsVersion = 0
    @exclusivity(unchecked) private var knownLinks: (version: Int, links: ExtensionLinks)?
    /// Registered extensions that cannot be used until a write has filled them again: ``Snapshot/missing``.
    @exclusivity(unchecked) var missing: [Snapshot.Registration]
    @exclusivity(unchecked) var dormant: Set<String>
    /// Tables of dormant extensions that must not keep removed rows, as far as their rows change.
    @exclusivity(unchecked) private var dormantContents: [DormantContent] = []
    /// The collections for which the dormant extensions were asked.
    @exclusivity(unchecked) private var notedCollections: Set<ExactString> = []
    /// The rows that were removed, for other processes; nil if they are not needed or too many.
    @exclusivity(unchecked) private(set) var removedRows: [RemovedRow]? = []
    /// Whether no other process had the file open when the first row was removed.
    @exclusivity(unchecked) private var isAlone: Bool?
    /// What extensions lack because programs that do not know them changed rows.
    @exclusivity(unchecked) var behind: [String: Behind]
    /// The extensions that got the rows which they lacked.
    var placed: Set<String> = []
    /// Views that take all of their parent's rows and order at once when they are placed. Until then the parent does not notify them of single
    /// changes, which begin at another state than theirs.
    var rearranging: Set<String> = []
    /// The views of `rearranging` that also call their blocks for each row of the parent that they do not have.
    var asking: Set<String> = []
    /// What extensions remember: of the writers, unless this transaction only completes a state in memory.
    let memory: WriterMemory
    /// Whether the transaction reads a state that it completes in memory, and writes nothing.
    let isCompleting: Bool
    /// Whether the transaction registers what the file has already, and writes nothing.
    let isLoading: Bool
    /// Whether all dormant extensions that read from others were marked as stale by this transaction.
    var followersAreStale = false
    /// Whether an extension writes derived rows, which no program may write.
    @exclusivity(unchecked) private var isDerivingRows = false
    @exclusivity(unchecked) var displaced: [DisplacedExtension]
    /// The extensions that are filled from all rows before long: what changes meanwhile, derived rows for example, they find then.
    @exclusivity(unchecked) var filling: Set<String> = []
    @exclusivity(unchecked) private var rowChangeCount = 0
    /// The keys of the rows in the logs of the views.
    private lazy var changedKeys = RowKeyList()
    @exclusivity(unchecked) private var isRolledBack = false
    private var completions: [(queue: DispatchQueue?, block: @Sendable () -> Void)] = []
    /// The closures of ``whenCommitted(_:)``.
    private var commitActions: [() -> Void] = []

    /// - Parameter memory: nil for that of the writers.
    init(
        connection: YapDatabaseConnection, store: Store, codings: CodingTable, snapshot: Snapshot,
        completingWith memory: WriterMemory? = nil, isLoading: Bool = false
    ) {
        extensions = snapshot.extensions.map { ($0.name, $0.extension) }
        missing = snapshot.missing
        dormant = snapshot.dormant
        displaced = snapshot.displaced
        behind = [:]
        for entry in snapshot.extensions { behind[entry.name] = entry.behind }
        written = WrittenObjects(isWanted: connection.database.broadcast.asksAboutCommits)
        self.memory = memory ?? connection.database.writeGate.memory
        isCompleting = memory != nil
        self.isLoading = isLoading
        super.init(connection: connection, store: store, codings: codings, snapshot: snapshot)
    }

    /// Makes the transaction roll back at its end, with all writes before and after this call.
    ///
    /// ```swift
    /// try connection.readWrite { transaction in
    ///     try transaction.removeAllObjects(inCollection: "books")
    ///     transaction.rollback()   // the rows are still there
    /// }
    /// ```
    public func rollback() { isRolledBack = true }

    /// Adds a closure that is called after the commit, on the given queue or the main queue. It is not called after a
    /// rollback.
    ///
    /// ```swift
    /// try connection.readWrite { transaction in
    ///     try transaction.setObject("Dune", forKey: "dune", inCollection: "books")
    ///     transaction.addCompletionQueue { print("committed") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - queue: where the block is called; nil for the main queue.
    ///   - completionBlock: called once, on that queue.
    public func addCompletionQueue(_ queue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void) {
        completions.append((queue, completionBlock))
    }

    /// Adds a closure that is called on this thread, directly after the commit and still in the writer's turn. It is not called if the
    /// transaction rolls back or its commit fails. What this process remembers about the file is changed in such a closure, never before.
    package func whenCommitted(_ block: @escaping () -> Void) { commitActions.append(block) }

    override var keyChanges: Int { rowChangeCount }

    override var hasWritten: Bool { store.hasWritten }

    override func newLog() -> OperationLog { OperationLog(keys: changedKeys) }

    override var leftOut: LeftOutRows? { leftOutRows }
    var leftOutRows: LeftOutRows { memory.leftOutRows }

    override func makeExtensionTransaction(_ name: String, near place: Int?) -> (any TransactionHooks)? {
        links.place(of: name).flatMap { super.makeExtensionTransaction(name, near: $0) }
    }

    /// Which extensions read from which.
    var links: ExtensionLinks {
        if let knownLinks, knownLinks.version == extensionsVersion { return knownLinks.links }
        let links = memory.links(of: extensions)
        knownLinks = (extensionsVersion, links)
        return links
    }
}

// MARK: Failing as a whole

extension YapDatabaseReadWriteTransaction {
    /// Runs a step that may fail midway: if it throws, the transaction can only roll back.
    func step<Value>(_ body: () throws -> Value) throws -> Value {
        try throwEarlierFailure()
        do {
            return try body()
        } catch {
            failure = error
            throw error
        }
    }

    /// Whether an earlier error makes the transaction roll back.
    package var hasFailed: Bool { failure != nil }

    /// Runs a step that adds or removes rows of a collection; nil for any.
    func rowStep<Value>(in collection: String?, _ body: () throws -> Value) throws -> Value {
        noteKeyChange(in: collection)
        return try step(body)
    }

    /// Called when a row is added or removed. Derived rows follow in the middle of an enumeration of others, too.
    func noteKeyChange(in collection: String?) {
        if let collection, RowTable.isDerived(collection) { return }
        rowChangeCount += 1
    }

    /// Notifies every extension, in the order of their registration, and then the observers. A derived row concerns only the extensions that name
    /// its collection: those of all collections hold rows that programs write.
    /// - Parameter collection: of the rows that changed; nil for all.
    func notifyExtensions(
        ofRowsIn collection: String?, _ notify: (any TransactionHooks) throws -> Void
    ) throws {
        if let collection, RowTable.isDerived(collection) {
            for name in links.listeners(of: collection) { try notifyExtension(name, notify) }
            return
        }
        for name in links.notified { try notifyExtension(name, notify) }
        try notifyObservers(notify)
    }

    private func notifyExtension(_ name: String, _ notify: (any TransactionHooks) throws -> Void) throws {
        if !filling.isEmpty, filling.contains(name) { return }
        guard let listener = hooks(ofExtension: name) else { return }
        do {
            try notify(listener)
        } catch let error as YapDatabaseError {
            throw error.naming("the extension \"\(name)\"")
        }
    }

    /// Whether an extension wants to know of changes of rows before they happen.
    func isObserved(_ collection: String) -> Bool {
        !links.observers.isEmpty && !RowTable.isDerived(collection)
    }

    /// Notifies the extensions that only report changes.
    func notifyObservers(_ notify: (any TransactionHooks) throws -> Void) throws {
        for name in links.observers {
            if let listener = hooks(ofExtension: name) { try notify(listener) }
        }
    }

    private func throwEarlierFailure() throws {
        guard let failure else { return try store.checkTransaction() }
        throw YapDatabaseError(
            .transactionFailed, "An earlier error of this transaction makes it roll back. Start a new one.",
            underlying: failure)
    }

    /// Called before rows of a collection change; nil for all. Each dormant extension that may have such rows is marked as stale, or its tables are
    /// noted, because removed rows must be taken from them (``forEachDormantContent(_:)``).
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if neither is possible for one of them, or if a program writes derived rows.
    func noteRowsChange(in collection: String?) throws {
        if let list = collection?.dropping(prefix: RowTable.derivedMark), !isDerivingRows {
            throw YapDatabaseError(
                .badExtension,
                "The rows of \"\(list)\" follow from others, and are written by the library alone. Change the rows that they "
                    + "follow from.")
        }
        guard !dormant.isEmpty else { return }
        if let collection, !notedCollections.insert(ExactString(collection)).inserted { return }
        let known = Set(dormantContents.map(\.name))
        for name in dormant.subtracting(known).sorted() {
            let (change, content) = try connection.database.kinds.noteRowsChange(
                besideDormant: name, in: collection, store)
            if change == .settled { dormant.remove(name) }
            if let content { dormantContents.append(content) }
        }
    }

    /// Runs a body that writes derived rows.
    func derivingRows<Value>(_ body: () throws -> Value) rethrows -> Value {
        let before = isDerivingRows
        isDerivingRows = true
        defer { isDerivingRows = before }
        return try body()
    }

    /// Notes rows that were removed, for processes that have lists of them.
    func noteRemoved(_ rows: [RemovedRow]) {
        if isAlone == nil { isAlone = !connection.database.file.hasOthers }
        guard let count = removedRows?.count else { return }
        if isAlone == true || count + rows.count > MissedChanges.limit {
            removedRows = nil
        } else {
            removedRows?.append(contentsOf: rows)
        }
    }

    /// Visits the tables of unregistered extensions from which removed rows must be taken.
    func forEachDormantContent(_ body: (DormantContent) throws -> Void) throws {
        for content in dormantContents where dormant.contains(content.name) { try body(content) }
    }
}

// MARK: The end

extension YapDatabaseReadWriteTransaction {
    /// Commits, or rolls back if that was requested. If it throws, the caller must call `abandon`.
    func finish(confirming confirm: ((YapDatabaseReadWriteTransaction) throws -> Void)? = nil) throws {
        try throwEarlierFailure()
        if isRolledBack { return try abandon() }
        try writeRest()
        guard let commit = makeCommit() else {
            try store.commit()
            commitActions.forEach { $0() }
            return callCompletions()
        }
        if !hasWritten {
            for kind in connection.database.kinds {
                try kind.willCommitNothing(from: snapshot.number, to: commit.version.number, store)
            }
        }
        try store.setSnapshotNumber(commit.version.number)
        try confirm?(self)
        do {
            try connection.database.commit(commit, on: snapshot, in: store)
        } catch let error as YapDatabaseError where error.sql == "COMMIT" {
            throw error.naming(wordsForFullTextIndexes)
        }
        connection.current = commit.snapshot
        connection.database.writeGate.memory.end(at: commit.version, links)
        commitActions.forEach { $0() }
        connection.database.announce()
        callCompletions()
    }

    /// Only full-text indexes write their tables when SQLite commits.
    private var wordsForFullTextIndexes: String {
        let names = extensions.filter { TableOwner.Kind.fts.classes.contains($0.extension.className) }.map(\.name)
        if names.isEmpty { return "a full-text index of the file" }
        return names.map { "the index \"\($0)\"" }.joined(separator: " or ")
    }

    /// Writes what extensions have kept until the end.
    private func writeRest() throws {
        try changeRowsOfExtensions()
        for (name, _) in extensions { try extensionTransactions[name]?.prepareCommit() }
        try storeLeftOutRows()
        try markRecovered()
        // Extensions may have met an error where none can be thrown.
        try throwEarlierFailure()
    }

    /// Returns the state with the extensions that were loaded; nil if anything else would change. Their logs are dropped: no list shows them yet.
    func finishLoading(_ names: Set<String>) throws -> Snapshot? {
        try throwEarlierFailure()
        try writeRest()
        guard changes.isEmpty, placed.isEmpty, names.isSuperset(of: extensionLogs.keys) else { return nil }
        return next(at: snapshot.version)
    }

    package func callCompletions() {
        for (queue, block) in completions { (queue ?? .main).async(execute: block) }
    }

    /// Lets extensions change rows, until none wants to: one may react to what another did.
    /// - Parameter derivesOnly: whether only those do that write derived rows.
    package func changeRowsOfExtensions(derivesOnly: Bool = false) throws {
        useCodingsOfExtensions()
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for (name, registered) in extensions where !derivesOnly || registered.derivesRows {
                guard let hooks = extensionTransactions[name], hooks.hasRowsToChange else { continue }
                try step { try hooks.changeRows() }
                hasChanged = true
            }
        }
    }

    /// Rolls back.
    func abandon() throws {
        // The caches contain values that this transaction wrote.
        connection.caches.removeAll()
        connection.database.writeGate.memory.forget()
        try store.rollback()
    }

    /// The commit; nil if nothing changed.
    private func makeCommit() -> Commit? {
        let logs = extensionLogs
        let custom = yapDatabaseModifiedNotificationCustomObject.map(SharedValue.init(value:))
        let isRegistering =
            extensionsVersion > 0
            && !extensions.elementsEqual(snapshot.extensions) { $0.name == $1.name && $0.extension === $1.extension }
            || !displaced.elementsEqual(snapshot.displaced) { $0.extension === $1.extension }
        // Where a comparison found nothing to do, the commit alone says that the extension is right.
        guard
            isRegistering || !changes.isEmpty || !logs.isEmpty || custom != nil || hasWritten || !placed.isEmpty
        else { return nil }
        return Commit(
            snapshot: next(at: snapshot.version.next), edits: changes, removed: removedRows, shared: shared,
            written: written, logs: logs, custom: custom, before: snapshot.version, author: connection)
    }

    /// What each extension did, by its name.
    private var extensionLogs: [String: any ExtensionLog] {
        var logs: [String: any ExtensionLog] = [:]
        for (name, _) in extensions { logs[name] = extensionTransactions[name]?.commitLog }
        return logs
    }

    /// The state that the transaction makes, as that of a version.
    private func next(at version: FileVersion) -> Snapshot {
        Snapshot(
            version: version, extensions: extensions.indices.map(entry), missing: missing, displaced: displaced,
            dormant: dormant)
    }

    private func entry(at place: Int) -> Snapshot.Entry {
        let (name, registered) = extensions[place]
        let state =
            extensionTransactions[name]?.commitState ?? snapshot.entry(name, near: place)?.state ?? NoState()
        return Snapshot.Entry(name: name, extension: registered, state: state, behind: behind[name])
    }
}
