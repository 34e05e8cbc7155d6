import FileEngine
import Foundation
import ListChanges

/// A transaction's access to a ``YapDatabaseRelationship``.
///
/// ```swift
/// guard let graph = transaction.ext("relationships") as? YapDatabaseRelationshipTransaction else { return }
/// try graph.enumerateEdges(withName: "author", destinationKey: "alice", collection: "people") { edge, stop in
///     print(edge.sourceKey ?? "")
/// }
/// ```
///
/// A read-write transaction sees its own changes of the graph: an edge is there as soon as both its ends are, and gone with
/// either of them, before the rules have run.
public final class YapDatabaseRelationshipTransaction: YapDatabaseExtensionTransaction, TransactionHooks {
    let settings: YapDatabaseRelationshipOptions
    let tag: String
    let table: EdgeTable
    var changes = GraphChanges()
    /// Rows of a declared relation that name a missing row, or a removed row that they may not lose. They fail the commit, unless other rules
    /// remove them or clear their property before.
    var unsettled: [(row: Int64, named: RowKey, isMissing: Bool)] = []
    var lostFiles = LostFiles()
    private var isFlushing = false
    private var nextAlias = Int64.min

    init(
        settings: YapDatabaseRelationshipOptions, tag: String, name: String, transaction: YapDatabaseReadTransaction
    ) {
        self.settings = settings
        self.tag = tag
        table = EdgeTable(transaction.store, extension: name)
        super.init(name: name, transaction: transaction)
    }

    // MARK: Hooks

    package func beginRegister(previous: RegisteredExtension?, progress: Progress?) throws -> (any RowReceiver)? {
        guard try RelationshipRegistration(self).run(previous), !settings.disableYapDatabaseRelationshipNodeProtocol
        else {
            return nil
        }
        return try EdgeReceiver(self, progress)
    }

    package func didInsert(_ row: ChangedRow) throws {
        try changes.reuse(row.rowid) { try renamed(row.rowid) }
        try addMissingEdges(to: row.key)
        guard settings.isAllowed(row.key), let edges = try protocolEdges(row), !edges.isEmpty else { return }
        changes.setEdges(edges, of: row.rowid, row.key, isNew: true)
    }

    package func retry(_ row: ChangedRow) throws {
        guard settings.isAllowed(row.key) else { return takeIn(row.rowid) }
        if let edges = try protocolEdges(row) { changes.setEdges(edges, of: row.rowid, row.key, isNew: false) }
    }

    package func didUpdate(_ row: ChangedRow) throws {
        guard row.flags.contains(.object), !row.isTouch, settings.isAllowed(row.key),
            let edges = try protocolEdges(row)
        else { return }
        changes.setEdges(edges, of: row.rowid, row.key, isNew: false)
    }

    /// The edges of an object, which may be none; nil for one that cannot be decoded. Such a row keeps the edges that it has: no rule may
    /// delete rows because of a value that nothing is known of.
    func protocolEdges(_ row: ChangedRow) throws -> [YapDatabaseRelationshipEdge]? {
        try decoding(row.rowid, row.key, .object) { try settings.edges(of: row.object(), row.key) }
    }

    package func didRemove(_ rows: [RemovedRow]) throws {
        for row in rows { changes.delete(row.rowid, row.key) }
    }

    /// Stores the edges that the transaction has set so far, while their rows still exist: files to which they lead are deleted with the rows.
    package func willRemoveAll() throws {
        // Edges of a declared relation lead to no file, and may name rows that are still to come.
        guard settings.declared == nil else { return }
        for edge in try writeEdges() where edge.lost == .source { noteLostFile(of: edge.edge) }
    }

    package func didRemoveAll() throws {
        for edge in try table.readableEdges(EdgeFilter(isFile: true)) { noteLostFile(of: edge) }
        try table.removeAll()
        (changes, unsettled) = (GraphChanges(), [])
    }

    package var hasRowsToChange: Bool { !changes.isEmpty }

    package func changeRows() throws { try runRules() }

    /// - Throws: ``YapDatabaseError`` with `missingRow` if a row of a declared relation still names one that is not there.
    package func prepareCommit() throws {
        for (row, named, isMissing) in unsettled {
            guard let (key, edges) = try edgesNow(of: row), edges.contains(where: { $0.end == .row(named) }) else {
                continue
            }
            guard isMissing else { throw YapDatabaseError.stillNamed(name, by: key, named) }
            if try transaction.rowid(forKey: named) == nil { throw YapDatabaseError.missingEnd(name, of: key, named) }
        }
        unsettled = []
        try promiseLostFiles()
    }

    /// Adds the edges to a row that was missing when ``flush()`` ran the rules, from the rows that named it then.
    private func addMissingEdges(to named: RowKey) throws {
        for (row, missing, isMissing) in unsettled where isMissing && missing == named {
            if let (key, edges) = try edgesNow(of: row) { changes.setEdges(edges, of: row, key, isNew: false) }
        }
    }

    /// The key of a row and the edges that it names; nil if it is gone or cannot be decoded.
    private func edgesNow(of row: Int64) throws -> (RowKey, [YapDatabaseRelationshipEdge])? {
        guard let key = try transaction.key(forRowid: row) else { return nil }
        return try decoding(row, key, .object) {
            try settings.edges(of: transaction.object(forRowid: row, key: key), key)
        }.map { (key, $0) }
    }

    // MARK: Rows that changed while it was not notified

    package func place(_ rows: RowsToPlace) throws { try placeEdges(rows) }

    package func canPlace(_ rows: RowsToPlace) throws -> Bool { try rows.changed.isEmpty || !table.lacksEdges }

    package func compareWithRows(_ check: () throws -> Void) throws -> RowComparison? { try misplacedEdges(check) }

    package func numberOfRowsToCompare() throws -> Int {
        try transaction.count(allowedCollections: settings.allowedCollections)
    }

    package func goneRows() throws -> [Int64] { try table.rowidsWithoutRow() }

    // MARK: Running the rules

    /// Applies the changes of the graph and runs the rules now, instead of at the end of the transaction.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func flush() throws {
        try readWriteTransaction("flush").step { try runRules() }
    }

    private func runRules() throws {
        // A hook of another extension may call `flush` while the rules run.
        guard !isFlushing, !changes.isEmpty else { return }
        isFlushing = true
        defer { isFlushing = false }
        var rules = RuleRun(self)
        try rules.run()
        changes.forgetDeleted()
    }

    /// Gives the edges of a deleted row to a rowid that nothing has, because a new row has its rowid.
    private func renamed(_ row: Int64) throws -> Int64 {
        func isUsed(_ row: Int64) throws -> Bool {
            try transaction.store.key(forRowid: row) != nil || table.count(EdgeFilter(source: row)) > 0
                || table.count(EdgeFilter(destination: .row(row))) > 0
        }
        while try isUsed(nextAlias) { nextAlias += 1 }
        defer { nextAlias += 1 }
        try table.renameNode(row, to: nextAlias)
        return nextAlias
    }

    func readWriteTransaction(_ caller: String) -> YapDatabaseReadWriteTransaction {
        guard let transaction = transaction as? YapDatabaseReadWriteTransaction else {
            fatalError("\(caller) changes the graph, so it needs a read-write transaction.")
        }
        return transaction
    }
}

// Rows that changed while the relationship was not notified. No rule runs for them, as with registration: edges are what the rows say.
extension YapDatabaseRelationshipTransaction {
    /// Stores the edges that objects name, and removes those of rows that are gone.
    func placeEdges(_ rows: RowsToPlace) throws {
        // A state that is completed in memory has the table as it is: a write brings it up to date.
        guard (transaction as? YapDatabaseReadWriteTransaction)?.isCompleting == false else { return }
        if rows.isAllGone { try table.removeAll() }
        try table.dropEdges(of: rows.removed.lazy.map(\.rowid))
        for row in rows.changed where row.flags.contains(.object) && settings.isAllowed(row.key) {
            guard let edges = try protocolEdges(row) else { continue }
            changes.setEdges(edges, of: row.rowid, row.key, isNew: false)
        }
        let gone = try writeEdges()
        if gone.contains(where: { $0.lost == .destination }) { try table.setLacksEdges(true) }
    }

    /// Compares the edges that all objects name with those in the table.
    func misplacedEdges(_ check: () throws -> Void) throws -> RowComparison {
        var (found, count, unnoted) = (RowComparison(), 0, UndecodableNotes(of: self))
        let namesEdges = !settings.disableYapDatabaseRelationshipNodeProtocol
        try transaction.enumerateRows(allowedCollections: settings.allowedCollections, columns: .values) { row, _ in
            if count % 256 == 0 { try check() }
            count += 1
            guard namesEdges else { return }
            var isUnnoted = false
            defer { if isUnnoted { found.misplaced.append(row.key) } }
            guard
                let content = try unnoted.ifDecodable(
                    row.rowid, &isUnnoted, { try RowContent(row, needs: .object) })
            else { return }
            let edges = try settings.edges(of: content.object, row.key)
            if try !hasEdges(edges, row.rowid, row.key) { found.misplaced.append(row.key) }
        }
        found.gone = try table.rowidsWithoutRow()
        return found
    }

    /// Whether the table has just these edges of an object, and those that were added by hand.
    private func hasEdges(_ edges: [YapDatabaseRelationshipEdge], _ row: Int64, _ key: RowKey) throws -> Bool {
        let stored = try table.readableEdges(EdgeFilter(source: row)).filter { !$0.isManual }
        if edges.isEmpty { return stored.isEmpty }
        let wanted = try wantedEdges(edges, of: row, key) { _ in }
        let rules = Dictionary(stored.map { (name($0), $0.rules) }, uniquingKeysWith: { first, _ in first })
        return wanted.count == stored.count && wanted.allSatisfy { rules[$0.name] == $0.edge.rules }
    }
}
