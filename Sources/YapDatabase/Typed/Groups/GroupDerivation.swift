import FileEngine
import Foundation
import ListChanges

/// Derives a row for each group of a list, with its figures.
struct GroupDerivation<Value: Codable & Sendable>: RowDerivation {
    let list: String
    /// The name of the list whose groups have rows.
    let grouped: String
    let groupedTag: String
    let source: String
    let figures: [FigureRule<Value>]
    let ends: YapGroupEnds
    let followsViews: Bool
    let versionTag: String

    var isPartOfList: Bool { true }
    var views: Set<String> { [grouped] }
    var viewTags: [String: String] { followsViews ? [:] : [grouped: groupedTag] }
    var values: [EntryValue] { figures.map { EntryValue(isSearched: $0.isSearched) } }

    func isRow(_ object: Any) -> Bool { type(of: object) == Value.self }

    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry? {
        guard let group = try view(in: transaction).settledPages().group(ofRowid: row.rowid) else { return nil }
        let value = try row.place(of: Value.self).pointee
        return DerivedEntry(key: "", place: group, values: figures.map { $0.ofValue(value) })
    }

    /// The first and the last row of a group are in its row.
    func isCurrent(_ row: RowContent, _ entry: DerivedEntry, _ reader: SourceReader) throws -> Bool {
        let transaction = reader.transaction
        let pages = try view(in: transaction).settledPages()
        guard let place = try pages.place(ofRowid: row.rowid) else { return false }
        let (isFirst, isLast) = (place.index == 0, place.index == pages.count(inGroup: place.group) - 1)
        guard isFirst && ends.contains(.first) || isLast && ends.contains(.last) else { return true }
        let key = RowKey(collection: target, key: entry.place)
        guard let group = try transaction.value(of: YapGroupRow<Value>.self, .key(key), key) else { return false }
        let value = try row.place(of: Value.self).pointee
        func shows(_ shown: Value?) throws -> Bool {
            try shown.map { try transaction.areStoredAlike($0, value) } ?? false
        }
        return try (!isFirst || !ends.contains(.first) || shows(group.first))
            && (!isLast || !ends.contains(.last) || shows(group.last))
    }

    func makeRun(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction)
        -> any DerivationRun
    {
        GroupRun(self, rows, transaction)
    }

    func makeFill(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction) throws
        -> any DerivationFill
    {
        try GroupFill(self, rows, transaction)
    }

    func view(in transaction: YapDatabaseReadTransaction) throws -> YapDatabaseViewTransaction {
        guard let view = transaction.ext(grouped) as? YapDatabaseViewTransaction else {
            throw YapDatabaseError(
                .badExtension,
                "The groups of the list \"\(grouped)\" have rows, and the list is not registered. Register it first.")
        }
        return view
    }
}

/// Brings the rows of the groups up to date in which entries changed.
private final class GroupRun<Value: Codable & Sendable>: DerivationRun {
    private let derivation: GroupDerivation<Value>
    private let collection: String
    private let rows: YapDatabaseDerivedRowsTransaction
    private unowned let transaction: YapDatabaseReadWriteTransaction
    private var groups = ExactDictionary<GroupChange>()
    /// The stored bytes of the rows that are kept with the changes, and the most of them.
    private var kept = 0
    private static var keptLimit: Int { 8 << 20 }

    init(
        _ derivation: GroupDerivation<Value>, _ rows: YapDatabaseDerivedRowsTransaction,
        _ transaction: YapDatabaseReadWriteTransaction
    ) {
        (self.derivation, self.rows, self.transaction) = (derivation, rows, transaction)
        collection = derivation.target
    }

    func change(from before: DerivedEntry?, to after: DerivedEntry?, _ row: RowContent?) throws {
        if let before { try change(before, isAdded: false) }
        guard let after else { return }
        try change(after, isAdded: true)
        guard let row, kept < Self.keptLimit else { return }
        // The row that it replaces is kept no longer.
        kept += groups[after.place]?.keep(row) ?? 0
    }

    private func change(_ entry: DerivedEntry, isAdded: Bool) throws {
        if groups[entry.place] == nil { groups[entry.place] = try known(entry.place) }
        groups[entry.place]?.change(entry.values, isAdded: isAdded)
    }

    private func key(_ group: String) -> RowKey { RowKey(collection: collection, key: group) }

    /// The row of a group so far.
    private func known(_ group: String) throws -> GroupChange {
        do {
            let row = try transaction.partToReplace(key(group)) { (row: YapGroupRow<Value>) in
                GroupFigures(figures: row.figures)
            }
            guard let row else { return GroupChange(stored: nil, figures: derivation.figures.map { $0.initial }) }
            return GroupChange(stored: row.stored, figures: states(row.part.figures))
        } catch {
            guard YapDatabaseError(undecodable: error) != nil else { throw error }
            // The row was damaged. It follows from the entries, and must not keep anything from being written.
            return GroupChange(stored: nil, figures: nil)
        }
    }

    /// Nil if they are not those of the declaration, because the row was damaged.
    private func states(_ figures: [GroupFigure]) -> [FigureState]? {
        let rules = derivation.figures
        guard figures.count == rules.count,
            figures.indices.allSatisfy({ figures[$0].name.hasSameBytes(as: rules[$0].name) })
        else { return nil }
        return figures.map(\.state)
    }

    /// The figures of a group. If what was kept of them cannot be right, they are counted.
    private func figures(of group: String, _ change: GroupChange) throws -> [FigureState] {
        let rules = derivation.figures
        guard let kept = change.figures, kept.indices.allSatisfy({ rules[$0].kind.allows(kept[$0]) })
        else { return try counted(group) }
        return kept
    }

    /// The figures of a group by its entries, which are all up to date. A value that no derivation gives counts for nothing until its row is
    /// written. O(entries of all groups).
    private func counted(_ group: String) throws -> [FigureState] {
        var figures = derivation.figures.map { $0.initial }
        try rows.table.forEachValues(ofPlace: group) { values in
            for index in figures.indices { _ = figures[index].change(values[index], isAdded: true) }
        }
        return figures
    }

    func end() throws {
        let view = try derivation.view(in: transaction)
        for (group, change) in groups.sorted(by: { $0.key.precedes($1.key) }) {
            let count = view.numberOfItems(inGroup: group)
            if count == 0 {
                try transaction.remove(key(group))
            } else {
                let row = try derivation.row(
                    ofGroup: group, count, figures(of: group, change)[...], in: rows.table,
                    first: { try value(at: 0, inGroup: group, of: view, change) },
                    last: { try value(at: count - 1, inGroup: group, of: view, change) })
                try transaction.setDerivedValue(row, key(group), over: change.stored)
            }
        }
        (groups, kept) = (ExactDictionary(), 0)
    }

    private func value(
        at index: Int, inGroup group: String, of view: YapDatabaseViewTransaction, _ change: GroupChange
    ) throws -> Value? {
        if let row = change.row, try view.settledPages().rowid(at: index, inGroup: group) == row.rowid {
            return try row.place(of: Value.self).pointee
        }
        return try derivation.value(at: index, inGroup: group, of: view)
    }
}

/// The figures of a group, which are decoded without the rest of its row.
private struct GroupFigures: Decodable {
    let figures: [GroupFigure]
}

/// What is known of a group in which entries changed. Not generic, so that a table of these is compiled for this type.
private struct GroupChange {
    /// The bytes of the group's row before; nil for a new group, or if they were not read.
    let stored: Data?
    /// Nil if the group's row or an entry was damaged, so that they are counted when all entries are up to date.
    var figures: [FigureState]?
    /// One of the rows that were changed, mostly the newest, which is often the last one of the group.
    private(set) var row: RowContent?

    init(stored: Data?, figures: [FigureState]?) { (self.stored, self.figures) = (stored, figures) }

    mutating func change(_ values: [SQLValue], isAdded: Bool) {
        // An entry that was damaged may have fewer.
        for index in 0..<min(values.count, figures?.count ?? 0)
        where figures?[index].change(values[index], isAdded: isAdded) == false {
            figures = nil
            return
        }
    }

    /// Keeps a row instead of the one before.
    /// - Returns: by how many stored bytes more is kept.
    mutating func keep(_ row: RowContent) -> Int {
        defer { self.row = row }
        return row.size - (self.row?.size ?? 0)
    }
}

extension GroupDerivation {
    /// The row of a group that has rows.
    /// - Parameters:
    ///   - states: the figures, of which the least and the greatest values are searched in the table of the entries.
    ///   - first: called if the first row is shown.
    ///   - last: called if the last row is.
    func row(
        ofGroup group: String, _ count: Int, _ states: ArraySlice<FigureState>, in table: DerivedTable,
        first: () throws -> Value?, last: () throws -> Value?
    ) throws -> YapGroupRow<Value> {
        var shown: [GroupFigure] = []
        shown.reserveCapacity(figures.count)
        // By places: sequences of generic elements are looked up by the runtime.
        for number in 0..<min(figures.count, states.count) {
            let rule = figures[number]
            var state = states[states.startIndex + number]
            if rule.isSearched {
                let bound = try table.extreme(number, of: group, isGreatest: rule.kind == .greatest)
                state = .extreme(FigureBound(bound))
            }
            shown.append(GroupFigure(name: rule.name, state: state))
        }
        return YapGroupRow(
            name: group, count: count, first: ends.contains(.first) ? try first() : nil,
            last: ends.contains(.last) ? try last() : nil, figures: shown)
    }

    /// The value of a row of the list; nil if another program put it there and it cannot be decoded.
    func value(at index: Int, inGroup group: String, of view: YapDatabaseViewTransaction) throws -> Value? {
        guard let row = try view.row(at: index, inGroup: group) else { return nil }
        return try view.transaction.ifDecodable {
            try view.transaction.value(of: Value.self, forRowid: row.rowid, key: row.key, keeps: true)
        }
    }
}
