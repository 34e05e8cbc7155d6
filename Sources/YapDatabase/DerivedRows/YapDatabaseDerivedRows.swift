import FileEngine
import ListChanges

/// Keeps rows that follow from other rows: the extension beneath a list of groups, joined rows, and rows that stand in several groups.
///
/// ```text
/// rows of programs  ->  entries: what each row contributes  ->  derived rows  ->  a view over these, an ordinary one
///   database2             derived_NAME                           yap_derived        view_LIST_page, view_LIST_map
/// ```
///
/// The transaction that changes the sources also writes the derived rows, like any other rows. So a list over derived rows is an ordinary
/// view: placing, change-sets, other processes and checks work as in every view. An entry keeps what a source row contributed last. From that
/// the extension finds the derived row that has to change after the source row was removed or replaced.
///
/// See `docs/decisions/derived-rows.md`.
public final class YapDatabaseDerivedRows: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: all properties are `let`.

    let derivation: any RowDerivation
    /// The collections of the source rows.
    package let collections: YapWhitelistBlacklist?
    /// The extensions that derive the source rows, where these are derived rows themselves.
    let upstream: [String]
    /// Nil if the derived rows do not depend on the present time.
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
    package var neededTags: [String: String] { derivation.viewTags }
    package var partOf: String? { derivation.isPartOfList ? derivation.list : nil }
    package var derivesRows: Bool { true }
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
}

/// How rows are derived from those of a collection.
protocol RowDerivation: Sendable {
    /// The name of what is declared: a list that shows the derived rows, a join, or dated rows.
    var list: String { get }
    /// Whether the derived rows are those of that list alone, and go with it.
    var isPartOfList: Bool { get }
    /// The collection of the rows that contribute.
    var source: String { get }
    /// Another collection from which derived rows take values; nil for none. A change of its row concerns the entries whose place is the key of
    /// this row.
    var joined: String? { get }
    /// The extensions that are read to make an entry. Their content is derived from the same rows.
    var views: Set<String> { get }
    /// The version tags of those that do not change by themselves, by their names.
    var viewTags: [String: String] { get }
    /// Whether these may change although no row does: by another filter, or call by call.
    var followsViews: Bool { get }
    var versionTag: String { get }
    /// The values of an entry. Some of them are indexed, so that the least and the greatest value of a place are found.
    var values: [EntryValue] { get }

    /// Whether derived rows also depend on the present time. Then value 0 of an entry is the moment when the row has to be derived again, and
    /// value 1 is the moment since when it is right, in seconds since the reference date; NULL for never. All entries have one place.
    var isTimed: Bool { get }

    /// Whether an object is of the type as which source rows are read. One of another type may be stored as one of this.
    func isRow(_ object: Any) -> Bool
    /// What a row contributes; nil for nothing.
    /// - Throws: ``YapDatabaseError`` with `decodingFailed` if the row cannot be decoded.
    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry?
    /// Returns whether the derived rows agree with a source row in what its entry does not contain.
    /// - Parameter reader: reads rows of the joined collection.
    func isCurrent(_ row: RowContent, _ entry: DerivedEntry, _ reader: SourceReader) throws -> Bool
    /// Begins to bring derived rows up to date.
    func makeRun(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction)
        -> any DerivationRun
    /// Begins to derive all rows, where there are none.
    func makeFill(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction) throws
        -> any DerivationFill
}

extension RowDerivation {
    var isPartOfList: Bool { false }
    var joined: String? { nil }
    var views: Set<String> { [] }
    var viewTags: [String: String] { [:] }
    var followsViews: Bool { false }
    var values: [EntryValue] { [] }
    var isTimed: Bool { false }

    /// The collection of the derived rows.
    var target: String { RowTable.derivedMark + list }
    /// The name of the extension that derives the rows.
    var name: String { RowTable.derivingExtension(ofList: list) }
    /// The collections whose rows matter.
    var sources: Set<String> { Set([source, joined].compactMap(\.self)) }
    /// The extensions that derive the source rows, where these are derived rows themselves.
    var upstream: Set<String> { Set(sources.compactMap { RowTable.derivingExtension(ofCollection: $0) }) }
    var dependencies: Set<String> { views.union(upstream) }
}

/// Brings derived rows up to date after some entries changed.
protocol DerivationRun: AnyObject {
    /// Called for each source row that was changed, with what it contributed before and contributes now.
    /// - Parameter row: the source row of `after`, if it was read.
    func change(from before: DerivedEntry?, to after: DerivedEntry?, _ row: RowContent?) throws
    /// Called for each source row that names a changed row of the joined collection. All calls of ``change(from:to:_:)`` come before.
    /// - Parameters:
    ///   - key: the key of the source row.
    ///   - place: the place of its entry.
    func changeJoined(_ key: String, ofPlace place: String) throws
    /// Writes the derived rows.
    func end() throws
}

extension DerivationRun {
    func changeJoined(_ key: String, ofPlace place: String) throws {}
}

/// Derives all rows, where there are none.
protocol DerivationFill: AnyObject {
    /// Takes the next source row and stores its entry, perhaps later. Most rows come in ascending order of their rowids.
    func add(_ row: ScannedRow) throws
    /// Stores the entries that are not stored yet.
    func endEntries() throws
    /// Writes the derived rows. Entries are stored and can be searched.
    func end() throws
}

/// Takes each row as one that was inserted.
final class FillByChanges: DerivationFill {
    private let derivation: any RowDerivation
    private let run: any DerivationRun
    private let rows: YapDatabaseDerivedRowsTransaction

    init(derivation: any RowDerivation, run: any DerivationRun, rows: YapDatabaseDerivedRowsTransaction) {
        (self.derivation, self.run, self.rows) = (derivation, run, rows)
    }

    func add(_ row: ScannedRow) throws {
        let found = try rows.decoding(row.rowid, row.key, .object) {
            let content = try RowContent(row, needs: .object)
            return (content, try derivation.entry(of: content, in: rows.transaction))
        }
        guard let (content, entry) = found, let entry else { return }
        try rows.table.set(entry, row.rowid)
        try run.change(from: nil, to: entry, content)
    }

    func endEntries() {}

    func end() throws { try run.end() }
}
