import FileEngine
import SQLiteBridge

/// What the records of a table of the schema can be: SQLite's rules of storage, by which a page that nothing leads to is recognised.
///
/// Only of tables with rowids whose columns are all stored. Source: "Datatypes in SQLite" and "Database File Format", section 2.1, of
/// SQLite's documentation.
struct TableShape: Sendable {
    private struct Column: Sendable {
        let affinity: Affinity
        let isNullable: Bool
        /// Whether a record that was written before the column was added has NULL here.
        let isNullWhereMissing: Bool
    }

    private enum Affinity: Sendable {
        /// Never a number.
        case text
        /// A real number without a fraction is stored as an integer.
        case real
        case other

        init(_ declared: String) {
            let type = declared.uppercased()
            if type.contains("INT") {
                self = .other
            } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
                self = .text
            } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
                self = .real
            } else {
                self = .other
            }
        }
    }

    private let columns: [Column]
    /// The column that is another name of the rowid, and is stored as NULL.
    private let alias: Int?

    /// - Parameter table: has rowids.
    /// - Returns: nil for a table whose records cannot be recognised: one without columns, with columns that are computed, or in
    ///   a file whose texts are not UTF-8.
    init?(_ table: String, columns count: Int, _ store: Store) {
        guard (try? store.first("PRAGMA encoding") { $0.text(at: 0) }) == "UTF-8" else { return nil }
        typealias Read = (type: String, isNull: Bool, hasDefault: Bool, key: Int, hidden: Int)
        let found = try? store.all(
            #"SELECT type, "notnull", dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo(?)"#,
            bind: { try $0.bind(table, at: 1) }
        ) { row -> Read in
            (
                row.text(at: 0) ?? "", row.int64(at: 1) == 0, row.int64(at: 2) != 0, Int(row.int64(at: 3)),
                Int(row.int64(at: 4))
            )
        }
        guard let found, found.count == count, found.allSatisfy({ $0.hidden == 0 }) else { return nil }
        let isSingleKey = found.count { $0.key > 0 } == 1
        alias = isSingleKey ? found.firstIndex { $0.key > 0 && $0.type.uppercased() == "INTEGER" } : nil
        columns = found.map {
            Column(affinity: Affinity($0.type), isNullable: $0.isNull, isNullWhereMissing: $0.isNull && !$0.hasDefault)
        }
    }

    /// Whether a record with values of these types can be a row of the table.
    func fits(_ types: [Int64]) -> Bool {
        guard !types.isEmpty, types.count <= columns.count,
            columns[types.count...].allSatisfy(\.isNullWhereMissing)
        else { return false }
        return zip(types.indices, types).allSatisfy { place, type in
            let column = columns[place]
            if place == alias { return type == 0 }
            if type == 0 { return column.isNullable }
            return column.affinity != .text || type >= 12
        }
    }

    /// Like ``fits(_:)``, for a record on a page that the table's tree leads to: it may lack any columns that were added later.
    func mayHave(_ types: [Int64]) -> Bool {
        guard types.count <= columns.count else { return false }
        return zip(columns, types).enumerated().allSatisfy { place, pair in
            place == alias ? pair.1 == 0 : pair.0.affinity != .text || pair.1 == 0 || pair.1 >= 12
        }
    }

    /// Whether a record has the values of an entry of an index.
    /// - Parameter places: the columns of which the entry has values; negative for others.
    func fits(_ record: StoredRecord, _ entry: [StoredValue.Content], _ places: [Int]) -> Bool {
        zip(places, entry).allSatisfy { place, value in
            guard place >= 0, place != alias else { return true }
            switch (place < record.values.count ? record.values[place] : .null, value) {
            case (.integer(let number), .real(let other)), (.real(let other), .integer(let number)):
                return Double(number) == other
            case (let stored, _): return stored == value
            }
        }
    }

    /// The record with the values that SQLite would return.
    func row(_ record: StoredRecord) -> StoredRecord {
        var row = record
        row.values += repeatElement(.null, count: columns.count - record.values.count)
        for (place, column) in columns.enumerated() where column.affinity == .real {
            if case .integer(let number) = row.values[place] { row.values[place] = .real(Double(number)) }
        }
        if let alias, let rowid = record.rowid { row.values[alias] = .integer(rowid) }
        return row
    }
}
