import FileEngine
import Foundation
import ListChanges

/// Derives the rows of all groups of a list from one pass over the rows, most of which come in the order of the table.
///
/// The rows are decoded on all processors, in chunks whose order is kept; see `docs/decisions/fields-from-bytes.md`. The figures of a group are
/// found by its number, and its first and last row are kept when they pass by, so that neither is looked up. Memory: 16 bytes for each row of the
/// list (``RowGroups``), the figures of all groups, and first and last rows of up to ``keptLimit`` stored bytes; what is beyond is read at the end.
final class GroupFill<Value: Codable & Sendable>: DerivationFill {
    private let derivation: GroupDerivation<Value>
    private let rows: YapDatabaseDerivedRowsTransaction
    private unowned let transaction: YapDatabaseReadWriteTransaction
    private let view: YapDatabaseViewTransaction
    private let groups: RowGroups
    private var states: [GroupState]
    /// The figures of each group, one group after the other.
    private var figures: [FigureState]
    private var kept = 0
    private static var keptLimit: Int { 8 << 20 }
    /// Enough rows to be worth a change of threads, and little memory; fewer of those whose first or last row is read again, which may be large.
    private static var rowsOfPiece: Int { 128 }
    private static var readRowsOfPiece: Int { 4 }
    /// How the rows are stored; nil if the program decodes them by a function of its own, for which there is one thread.
    private let format: YapDatabaseCodableFormat?
    private var chunk = Chunk()
    private lazy var work = OrderedWork<Result<Contributions, any Error>> { [unowned self] in try store($0.get()) }

    private struct GroupState {
        /// The rows at the ends, where they are shown.
        var first: Value?
        var last: Value?
        /// Whether a row contributes to it: none does whose rows cannot be decoded.
        var hasEntries = false
    }

    /// Rows for a thread that decodes them.
    private struct Chunk {
        var rows = StoredBatch()
        /// The number of each row's group.
        var groups: [Int] = []
    }

    /// What some rows contribute.
    private struct Contributions: Sendable {
        var rows: [(rowid: Int64, group: Int)] = []
        /// For each figure of each row.
        var values: [SQLValue] = []
        /// Rows that are at an end of their group, by their indexes.
        var ends: [(index: Int, value: Value, size: Int)] = []
        /// Rows that cannot be decoded.
        var errors: [(index: Int, key: RowKey, error: any Error)] = []
    }

    init(
        _ derivation: GroupDerivation<Value>, _ rows: YapDatabaseDerivedRowsTransaction,
        _ transaction: YapDatabaseReadWriteTransaction
    ) throws {
        (self.derivation, self.rows, self.transaction) = (derivation, rows, transaction)
        view = try derivation.view(in: transaction)
        groups = try RowGroups(view.settledPages())
        states = [GroupState](repeating: GroupState(), count: groups.all.count)
        figures = groups.all.flatMap { _ in derivation.figures.map { $0.initial } }
        format = transaction.codings.format(of: Value.self, in: derivation.source)
    }

    func add(_ row: ScannedRow) throws {
        guard let group = try groups.number(ofRowid: row.rowid) else { return }
        guard format != nil else { return try addHere(row, group) }
        chunk.rows.append(row)
        chunk.groups.append(group)
        if chunk.rows.isFull { try passOn() }
    }

    private func addHere(_ row: ScannedRow, _ group: Int) throws {
        var found = Contributions()
        let place = FieldPlacing.Row(rowid: row.rowid, key: row.key, size: row.size)
        Self.add(place, group, to: &found, derivation, groups.all) { try row.value(of: Value.self) }
        try store(found)
    }

    private func passOn() throws {
        guard let format, !chunk.rows.isEmpty else { return }
        let (chunk, derivation, groups) = (chunk, derivation, groups.all)
        self.chunk = Chunk()
        try work.add {
            Result {
                var found = Contributions()
                chunk.rows.forEach { index, row, bytes in
                    Self.add(row, chunk.groups[index], to: &found, derivation, groups) {
                        try format.decode(Value.self, bytes, ofRow: { row.key })
                    }
                }
                return found
            }
        }
    }

    private static func add(
        _ row: FieldPlacing.Row, _ group: Int, to found: inout Contributions, _ derivation: GroupDerivation<Value>,
        _ groups: [RowGroups.Group], decode: () throws -> Value
    ) {
        let index = found.rows.count
        found.rows.append((row.rowid, group))
        do {
            let value = try decode()
            for figure in derivation.figures { found.values.append(figure.ofValue(value)) }
            let isEnd = row.rowid == groups[group].first || row.rowid == groups[group].last
            if isEnd { found.ends.append((index, value, row.size)) }
        } catch {
            found.errors.append((index, row.key, error))
            for _ in derivation.figures { found.values.append(.null) }
        }
    }

    private func store(_ found: Contributions) throws {
        let (count, groups) = (derivation.figures.count, groups.all)
        var error = found.errors.startIndex
        for index in found.rows.indices {
            let (rowid, group) = found.rows[index]
            if error < found.errors.endIndex, found.errors[error].index == index {
                try rows.leaveOut(rowid, found.errors[error].key, .object, found.errors[error].error)
                error += 1
                continue
            }
            rows.takeIn(rowid)
            let values = found.values[index * count..<(index + 1) * count]
            try rows.table.set(rowid, key: "", place: groups[group].name, values)
            states[group].hasEntries = true
            for number in 0..<count {
                _ = figures[group * count + number].change(found.values[index * count + number], isAdded: true)
            }
        }
        for end in found.ends where kept < Self.keptLimit {
            let (rowid, group) = found.rows[end.index]
            kept += end.size
            if rowid == groups[group].first { states[group].first = end.value }
            if rowid == groups[group].last { states[group].last = end.value }
        }
    }

    func endEntries() throws {
        try passOn()
        try work.finish()
    }

    func end() throws {
        let (count, collection) = (derivation.figures.count, derivation.target)
        let format = transaction.codings.format(of: YapGroupRow<Value>.self, in: collection)
        let work = OrderedWork<(rows: [YapGroupRow<Value>], bytes: [Data?])> { [transaction] rows, bytes in
            for (row, bytes) in zip(rows, bytes) {
                try transaction.setValue(row, RowKey(collection: collection, key: row.name), given: bytes)
            }
        }
        var (waiting, read) = ([YapGroupRow<Value>](), 0)
        func passOn() throws {
            // What cannot be encoded is tried again, for the error.
            try work.add { [waiting] in (waiting, waiting.map { row in try? format?.encode(row) }) }
            (waiting, read) = ([], 0)
        }
        func value(at index: Int, of group: RowGroups.Group) throws -> Value? {
            read += 1
            return try derivation.value(at: index, inGroup: group.name, of: view)
        }
        for (number, group) in groups.all.enumerated().sorted(by: { $0.element.name.precedes($1.element.name) }) {
            let state = states[number]
            guard state.hasEntries else { continue }
            waiting.append(
                try derivation.row(
                    ofGroup: group.name, group.count, figures[number * count..<(number + 1) * count], in: rows.table,
                    first: { try state.first ?? value(at: 0, of: group) },
                    last: { try state.last ?? value(at: group.count - 1, of: group) }))
            if waiting.count >= Self.rowsOfPiece || read >= Self.readRowsOfPiece { try passOn() }
        }
        try passOn()
        try work.finish()
    }
}
