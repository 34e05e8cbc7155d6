import FileEngine
import SQLiteBridge

/// What the table of an index is made of: immutable, shared between connections.
final class IndexLayout: Sendable {
    enum Kind: Hashable, Sendable {
        /// An ordinary table with indexes; the columns' SQL types.
        case secondaryIndex(types: [String])
        /// A virtual table of this module of SQLite, with options such as `tokenize=porter`.
        case fullText(module: String, options: [String])
        case rTree
    }

    let kind: Kind
    /// The names of the columns, without `rowid`.
    let columns: [String]
    /// The columns of each index of an ordinary table, in the order in which it compares them.
    let indexes: [[String]]

    /// - Parameter indexes: nil for one for each column.
    init(_ kind: Kind, columns: [String], indexes: [[String]]? = nil) {
        self.kind = kind
        self.columns = columns
        self.indexes = indexes ?? columns.map { [$0] }
    }
}

/// The table of an index with the SQL of its statements. Kept for each extension, because building the text costs more than
/// running some of the statements.
final class IndexTable {
    let layout: IndexLayout
    /// The extension's name.
    let name: String
    /// The table's name.
    let table: String
    /// The table's name as an SQL identifier.
    let quoted: String
    let insert: String
    let replace: String
    let remove: String
    let removeAll: String

    init(_ layout: IndexLayout, name: String, table: String, quoted: String, columns: [String]) {
        self.layout = layout
        self.name = name
        self.table = table
        self.quoted = quoted
        let names = ([#""rowid""#] + columns).joined(separator: ", ")
        let values = "?" + String(repeating: ", ?", count: columns.count)
        insert = "INSERT INTO \(quoted) (\(names)) VALUES (\(values))"
        replace = "INSERT OR REPLACE INTO \(quoted) (\(names)) VALUES (\(values))"
        remove = #"DELETE FROM \#(quoted) WHERE "rowid" = ?"#
        removeAll = "DELETE FROM \(quoted)"
    }
}

/// The tables of indexes that a handle has used so far, by the extension's name.
final class KnownIndexTables {
    var all: [String: IndexTable] = [:]
}

/// The rows that a query of the program finds, in the query's order. An error about the query's text names the place.
final class IndexCursor {
    private let statement: SQLiteStatement
    private let described: (YapDatabaseError) -> YapDatabaseError

    init(_ statement: SQLiteStatement, described: @escaping (YapDatabaseError) -> YapDatabaseError) {
        self.statement = statement
        self.described = described
    }

    deinit { statement.reset() }

    func next() throws -> Bool {
        do {
            return try statement.step()
        } catch let error as YapDatabaseError where error.concernsQuery {
            throw described(error)
        }
    }

    var rowid: Int64 { statement.int64(at: 0) }
    func value(at column: Int) -> SQLValue { statement.value(at: column) }
    func text(at column: Int) -> String { statement.text(at: column) ?? "" }
}

extension YapDatabaseError {
    /// Whether a row has a rowid or a key already that must be there once.
    fileprivate var isConstraint: Bool { sqliteCode.map { $0 & 0xff == SQLiteError.constraint } ?? false }

    /// Whether SQLite rejects a statement, rather than fails to run it.
    var concernsQuery: Bool {
        guard code == .sqlite || code == .valueTooLarge, let sqliteCode else { return false }
        return [SQLiteError.statement, SQLiteError.forbidden, SQLiteError.mismatch, SQLiteError.tooBig]
            .contains(sqliteCode & 0xff)
    }

    /// The error about a text of the program.
    /// - Parameters:
    ///   - subject: such as `the query`.
    ///   - offset: the place in the text, in bytes.
    func badQuery(_ subject: String, of name: String, text: String, at offset: Int?) -> YapDatabaseError {
        var message = "\(subject) of the extension \"\(name)\" is wrong: \(sqliteMessage ?? self.message)"
        if let offset, (0...text.utf8.count).contains(offset) {
            let place = String(decoding: text.utf8.prefix(offset), as: UTF8.self).count
            let following = String(decoding: text.utf8.dropFirst(offset), as: UTF8.self)
            message +=
                following.isEmpty ? ", at its end" : ", at character \(place + 1), before \"\(following.prefix(40))\""
        }
        var error = YapDatabaseError(.badQuery, message + ".", sql: text, sqliteCode: sqliteCode)
        error.sqliteMessage = sqliteMessage
        error.sqlOffset = offset
        return error
    }
}

// The tables of secondary indexes, full-text searches and R-trees: one row of columns for a row of the database, with its
// rowid. `Store+IndexDefinition.swift` has their definitions.
extension Store {
    func indexTable(_ layout: IndexLayout, extension name: String) -> IndexTable {
        let known = kept { KnownIndexTables() }
        if let table = known.all[name], table.layout === layout { return table }
        let table = IndexTable(layout, extension: name)
        known.all[name] = table
        return table
    }

    /// Inserts a row that is new. Takes the place of what a lost row has left under its rowid, which a new row gets again.
    func insert(_ values: [SQLValue], rowid: Int64, into table: IndexTable) throws {
        do {
            try write(table.insert, values, rowid)
        } catch let error as YapDatabaseError where error.isConstraint {
            try set(values, rowid: rowid, in: table)
        }
    }

    /// Inserts a row or replaces the one with this rowid.
    func set(_ values: [SQLValue], rowid: Int64, in table: IndexTable) throws {
        try write(table.replace, values, rowid)
    }

    /// Removes the rows with these rowids, if there are any.
    func remove(rowids: some Sequence<Int64>, from table: IndexTable) throws {
        let statement = try handle.statement(table.remove)
        defer { statement.reset() }
        for rowid in rowids {
            try statement.bind(rowid, at: 1)
            try statement.run()
            statement.rewind()
        }
    }

    func removeAll(from table: IndexTable) throws { try execute(table.removeAll) }

    private func write(_ sql: String, _ values: [SQLValue], _ rowid: Int64) throws {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try statement.bind(rowid, at: 1)
        for (place, value) in values.enumerated() { try statement.bind(value, at: place + 2) }
        try statement.run()
    }
}
