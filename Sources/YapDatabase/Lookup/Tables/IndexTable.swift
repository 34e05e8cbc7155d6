import FileEngine

/// What the table of an index is made of: immutable, shared between connections.
final class IndexLayout: Sendable {
    enum Kind: Hashable, Sendable {
        /// An ordinary table with an index for each column; the columns' SQL types.
        case secondaryIndex(types: [String])
        /// A virtual table of this module of SQLite, with options such as `tokenize=porter`.
        case fullText(module: String, options: [String])
        case rTree
    }

    let kind: Kind
    /// The names of the columns, without `rowid`.
    let columns: [String]

    init(_ kind: Kind, columns: [String]) {
        self.kind = kind
        self.columns = columns
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
