import SQLiteBridge

/// The SQL of the statements that run for each edge or node.
final class EdgeSQL {
    static let columns = #"SELECT "rowid", "name", "src", "dst", "rules", "manual""#

    let hasEdgeTo: String
    let hasEdgeFrom: String
    let insert: String
    let setRules: String
    let setDestination: String
    let remove: String
    let dropLeaving: String
    let dropArriving: String
    let leaving: String
    let arriving: String
    let renameSource: String
    let renameDestination: String

    init(_ table: String) {
        hasEdgeTo = #"SELECT 1 FROM \#(table) WHERE "dst" = ? AND "src" != ? LIMIT 1"#
        hasEdgeFrom = #"SELECT 1 FROM \#(table) WHERE "src" = ? AND "dst" != ? LIMIT 1"#
        insert = #"INSERT INTO \#(table) ("name", "src", "dst", "rules", "manual") VALUES (?, ?, ?, ?, ?)"#
        setRules = #"UPDATE \#(table) SET "rules" = ? WHERE "rowid" = ?"#
        setDestination = #"UPDATE \#(table) SET "dst" = ? WHERE "rowid" = ?"#
        remove = #"DELETE FROM \#(table) WHERE "rowid" = ?"#
        dropLeaving = #"DELETE FROM \#(table) WHERE "src" = ?"#
        dropArriving = #"DELETE FROM \#(table) WHERE "dst" = ?"#
        leaving = #"\#(Self.columns) FROM \#(table) WHERE "src" = ?"#
        arriving = #"\#(Self.columns) FROM \#(table) WHERE "dst" = ?"#
        renameSource = #"UPDATE \#(table) SET "src" = ? WHERE "src" = ?"#
        renameDestination = #"UPDATE \#(table) SET "dst" = ? WHERE "dst" = ?"#
    }
}

extension Edge.Destination {
    func bind(to statement: SQLiteStatement, at index: Int) throws {
        switch self {
        case .row(let row): try statement.bind(row, at: index)
        case .file(let bytes): try statement.bind(bytes, at: index)
        }
    }
}

extension EdgeFilter {
    /// Blobs sort after all numbers, so the index of `dst` finds the files.
    var condition: String {
        var parts: [String] = []
        if source != nil { parts.append(#""src" = ?"#) }
        if destination != nil { parts.append(#""dst" = ?"#) }
        if name != nil { parts.append(#""name" = ?"#) }
        if isFile { parts.append(#""dst" > 9223372036854775807"#) }
        return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
    }

    func bind(to statement: SQLiteStatement) throws {
        var index = 0
        if let source {
            index += 1
            try statement.bind(source, at: index)
        }
        if let destination {
            index += 1
            try destination.bind(to: statement, at: index)
        }
        if let name { try statement.bind(name, at: index + 1) }
    }
}
