import FileEngine
import SQLiteBridge

/// How a table differs from the values that a row should have in it.
enum IndexDifference: Hashable, Sendable {
    case missingRow
    case extraRow
    case column(String, stored: SQLValue, expected: SQLValue)
}

extension Store {
    /// Compares what a table has of a row with values that are not stored, as SQLite would store them.
    /// - Parameter values: nil if the row should not be in the table.
    /// - Returns: the first difference; nil if there is none.
    func difference(
        of table: IndexTable, rowid: Int64, from values: [SQLValue]?
    ) throws -> IndexDifference? {
        let columns = table.layout.columns.map(Self.quoted)
        let comparisons = columns.enumerated().map { ", \($1) IS ?\($0 + 2)" }.joined()
        let equal = try first(
            #"SELECT 1\#(comparisons) FROM \#(table.quoted) WHERE "rowid" = ?1"#,
            bind: {
                try $0.bind(rowid, at: 1)
                for (place, value) in (values ?? []).enumerated() { try $0.bind(value, at: place + 2) }
            },
            read: { row in columns.indices.map { row.int64(at: $0 + 1) != 0 } })
        guard let equal, let values else { return equal != nil ? .extraRow : values != nil ? .missingRow : nil }
        if table.layout.storesNoValues { return nil }
        for (place, column) in columns.enumerated() where !equal[place] {
            let stored = try first(
                #"SELECT \#(column) FROM \#(table.quoted) WHERE "rowid" = ?"#, bind: { try $0.bind(rowid, at: 1) },
                read: { $0.value(at: 0) })
            guard let stored, !table.layout.rounds(values[place], to: stored) else { continue }
            return .column(table.layout.columns[place], stored: stored, expected: values[place])
        }
        return nil
    }
}

extension IndexLayout {
    /// Whether the table is one of those full-text searches that do not keep the texts themselves.
    var storesNoValues: Bool {
        guard case .fullText(_, let options) = kind else { return false }
        return options.contains { $0.lowercased().hasPrefix("content") }
    }

    /// Whether an R-tree, which stores 32-bit numbers, has this form of a value.
    fileprivate func rounds(_ value: SQLValue, to stored: SQLValue) -> Bool {
        guard case .rTree = kind, case .real(let stored) = stored else { return false }
        let value: Double =
            switch value {
            case .integer(let integer): Double(integer)
            case .real(let real): real
            case .text(let text): Double(text) ?? 0
            case .null, .blob: 0
            }
        return abs(value - stored) <= abs(value) / 1_000_000
    }
}
