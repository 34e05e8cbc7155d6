import FileEngine
import ListChanges

/// Keeps rows that follow from other rows: the extension beneath a list of groups, joined rows, and rows that stand in several groups.
///
/// ```text
/// rows of programs  ->  entries: what each row contributes  ->  derived rows  ->  a view over these, an ordinary one
///   database2             derived_NAME                           yap_derived        view_LIST_page, view_LIST_map
/// ```
///
/// Derived rows are written by the transaction that changes their sources, as any row is, so lists over them need nothing of their own:
/// placing, change-sets, other processes and checks are those of every view. An entry keeps what a row contributed last, because the derived
/// row that it leaves has to be found when the source is gone or another.
///
/// See `docs/decisions/derived-rows.md`.
public final class YapDatabaseDerivedRows: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: all properties are `let`.

    let derivation: any RowDerivation
    /// Asked for each row that is written.
    package let collections: YapWhitelistBlacklist?
    /// The extensions that derive the rows from which these are derived.
    let upstream: [String]
    /// Nil where rows do not follow from the present time, too.
    private let alarm: MomentAlarm?

    init(_ derivation: any RowDerivation) {
        self.derivation = derivation
        collections = YapWhitelistBlacklist(whitelist: derivation.sources)
        upstream = derivation.upstream.sorted()
        alarm = derivation.isTimed ? MomentAlarm() : nil
        // The file says which change when a list does, and not only when rows do.
        super.init(
            className: derivation.followsViews ? "YapDatabaseDerivedRowsOfList" : "YapDatabaseDerivedRows",
            classVersion: 1)
    }

    package var versionTag: String { derivation.versionTag }
    package var dependencies: Set<String> { derivation.dependencies }
    package var recovery: ExtensionRecovery { .writing }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseDerivedRowsTransaction(self, name: name, transaction: transaction)
    }

    package func didRegister(withName name: String, in database: YapDatabase) {
        alarm?.begin(self, name, in: database)
    }

    package func waitUntilIdle() async { await alarm?.waitUntilIdle() }

    package func dropTables(name: String, transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction.derivingRows { try transaction.removeAllObjects(inCollection: derivation.target) }
    }
}

/// How rows are derived from those of a collection.
protocol RowDerivation: Sendable {
    /// The name of the declaration that the derived rows are of.
    var list: String { get }
    /// The collection of the rows that contribute.
    var source: String { get }
    /// Another collection, of which derived rows take values: its row concerns the entries whose place is its key. Nil for none.
    var joined: String? { get }
    /// The extensions that are read for an entry, whose content follows from the same rows.
    var views: Set<String> { get }
    /// Whether these may change although no row does: by another filter, or call by call.
    var followsViews: Bool { get }
    var versionTag: String { get }
    /// The values of an entry, of which some are searched for the least and the greatest of a place.
    var values: [EntryValue] { get }

    /// Whether derived rows follow from the present time, too. Values 0 and 1 of an entry are then when the row has to be derived again, and since
    /// when it is right, in seconds since the reference date; NULL for never. All entries have one place.
    var isTimed: Bool { get }

    /// What a row contributes; nil for nothing.
    /// - Throws: ``YapDatabaseError`` with `decodingFailed` if the row cannot be decoded.
    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry?
    /// Whether the derived rows are those that a row with this entry should have, as far as the entry does not say.
    func isCurrent(_ row: RowContent, _ entry: DerivedEntry, in transaction: YapDatabaseReadTransaction) throws -> Bool
    /// Begins to bring derived rows up to date.
    func makeRun(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction)
        -> any DerivationRun
    /// Begins to derive all rows, where there are none.
    func makeFill(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction) throws
        -> any DerivationFill
}

extension RowDerivation {
    var joined: String? { nil }
    var views: Set<String> { [] }
    var followsViews: Bool { false }
    var values: [EntryValue] { [] }
    var isTimed: Bool { false }

    /// The collection of the derived rows.
    var target: String { RowTable.derivedMark + list }
    /// The name of the extension that derives the rows.
    var name: String { RowTable.derivingExtension(ofList: list) }
    /// The collections whose rows matter.
    var sources: Set<String> { Set([source, joined].compactMap(\.self)) }
    /// The extensions that derive the rows from which these are derived.
    var upstream: Set<String> { Set(sources.compactMap { RowTable.derivingExtension(ofCollection: $0) }) }
    var dependencies: Set<String> { views.union(upstream) }

    func makeFill(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction) throws
        -> any DerivationFill
    {
        FillByChanges(derivation: self, run: makeRun(rows, transaction), transaction: transaction)
    }
}

/// Brings derived rows up to date after some entries changed.
protocol DerivationRun: AnyObject {
    /// Called for each source row that was changed, with what it contributed before and now.
    /// - Parameter row: the row of `after`, if it was read.
    func change(from before: DerivedEntry?, to after: DerivedEntry?, _ row: RowContent?) throws
    /// Called for the key of each source row that is as it was, after the calls for those that are not, where the row that it names was changed.
    func changeJoined(_ key: String) throws
    /// Writes the derived rows.
    func end() throws
}

extension DerivationRun {
    func changeJoined(_ key: String) throws {}
}

/// Derives all rows, where there are none.
protocol DerivationFill: AnyObject {
    /// What a source row contributes; nil for nothing. Most rows come in ascending order of their rowids.
    /// - Throws: ``YapDatabaseError`` with `decodingFailed` if the row cannot be decoded.
    func entry(of row: ScannedRow) throws -> DerivedEntry?
    /// Called after each call that returned an entry.
    func add(_ entry: DerivedEntry) throws
    /// Writes the derived rows. Entries are stored and can be searched.
    func end() throws
}

/// Takes each row as one that was inserted.
private final class FillByChanges: DerivationFill {
    private let derivation: any RowDerivation
    private let run: any DerivationRun
    private unowned let transaction: YapDatabaseReadWriteTransaction
    private var row: RowContent?

    init(derivation: any RowDerivation, run: any DerivationRun, transaction: YapDatabaseReadWriteTransaction) {
        (self.derivation, self.run, self.transaction) = (derivation, run, transaction)
    }

    func entry(of row: ScannedRow) throws -> DerivedEntry? {
        let content = try RowContent(row, needs: .object)
        self.row = content
        return try derivation.entry(of: content, in: transaction)
    }

    func add(_ entry: DerivedEntry) throws { try run.change(from: nil, to: entry, row) }

    func end() throws { try run.end() }
}
