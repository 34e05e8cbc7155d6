import FileEngine
import ListChanges

/// Derives the rows of all groups of a list from one pass over the rows, most of which come in the order of the table.
///
/// The figures of a group are found by its number, and its first and last row are kept when they pass by, so that neither is looked up. Memory: the
/// figures of all groups, and first and last rows of up to ``keptLimit`` stored bytes; what is beyond is read at the end.
final class GroupFill<Value: Codable & Sendable>: DerivationFill {
    private struct Group {
        /// The rows at the ends, where they are shown.
        var firstRow: Int64?
        var lastRow: Int64?
        var first: Value?
        var last: Value?
        /// Whether a row contributes to it: none does whose rows cannot be decoded.
        var hasEntries = false
    }

    private let derivation: GroupDerivation<Value>
    private let rows: YapDatabaseDerivedRowsTransaction
    private unowned let transaction: YapDatabaseReadWriteTransaction
    private let view: YapDatabaseViewTransaction
    private let rowGroups: RowGroups
    private var groups: [Group] = []
    /// The figures of each group, one group after the other.
    private var states: [FigureState] = []
    private var kept = 0
    /// The group of the row at hand.
    private var number = 0
    private static var keptLimit: Int { 8 << 20 }

    init(
        _ derivation: GroupDerivation<Value>, _ rows: YapDatabaseDerivedRowsTransaction,
        _ transaction: YapDatabaseReadWriteTransaction
    ) throws {
        (self.derivation, self.rows, self.transaction) = (derivation, rows, transaction)
        view = try derivation.view(in: transaction)
        rowGroups = try RowGroups(view.settledPages())
    }

    func entry(of row: ScannedRow) throws -> DerivedEntry? {
        guard let number = try rowGroups.number(ofRowid: row.rowid) else { return nil }
        while groups.count <= number { try addGroup(rowGroups.names[groups.count]) }
        self.number = number
        let value = try row.value(of: Value.self)
        if kept < Self.keptLimit { keep(value, row) }
        return DerivedEntry(
            key: "", place: rowGroups.names[number], values: derivation.figures.map { $0.ofValue(value) })
    }

    private func addGroup(_ name: String) throws {
        let (pages, ends) = (view.settledPages(), derivation.ends)
        groups.append(
            Group(
                firstRow: ends.contains(.first) ? try pages.rowid(at: 0, inGroup: name) : nil,
                lastRow: ends.contains(.last)
                    ? try pages.rowid(at: pages.count(inGroup: name) - 1, inGroup: name) : nil))
        states += derivation.figures.map { $0.initial }
    }

    private func keep(_ value: Value, _ row: ScannedRow) {
        guard groups[number].firstRow == row.rowid || groups[number].lastRow == row.rowid else { return }
        kept += row.size
        if groups[number].firstRow == row.rowid { groups[number].first = value }
        if groups[number].lastRow == row.rowid { groups[number].last = value }
    }

    func add(_ entry: DerivedEntry) {
        groups[number].hasEntries = true
        let start = number * derivation.figures.count
        for index in entry.values.indices { states[start + index].change(entry.values[index], isAdded: true) }
    }

    func end() throws {
        let (figures, collection) = (derivation.figures.count, derivation.target)
        for (name, number) in zip(rowGroups.names, groups.indices).sorted(by: { $0.0.precedes($1.0) }) {
            let group = groups[number]
            guard group.hasEntries else { continue }
            let count = view.numberOfItems(inGroup: name)
            let row = try derivation.row(
                ofGroup: name, count, states[number * figures..<(number + 1) * figures], in: rows.table,
                first: { try group.first ?? derivation.value(at: 0, inGroup: name, of: view) },
                last: { try group.last ?? derivation.value(at: count - 1, inGroup: name, of: view) })
            try transaction.setValue(row, RowKey(collection: collection, key: name))
        }
    }
}
