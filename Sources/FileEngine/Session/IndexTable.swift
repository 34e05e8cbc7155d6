/// What the table of an index is made of: immutable, shared between connections.
package final class IndexLayout: Sendable {
    package enum Kind: Hashable, Sendable {
        /// An ordinary table with an index for each column; the columns' SQL types.
        case secondaryIndex(types: [String])
        /// A virtual table of this module of SQLite, with options such as `tokenize=porter`.
        case fullText(module: String, options: [String])
        case rTree
    }

    package let kind: Kind
    /// The names of the columns, without `rowid`.
    package let columns: [String]

    package init(_ kind: Kind, columns: [String]) {
        self.kind = kind
        self.columns = columns
    }
}

/// The table of an index with the SQL of its statements. Kept for each extension, because building the text costs more than
/// running some of the statements.
package final class IndexTable {
    package let layout: IndexLayout
    /// The extension's name.
    package let name: String
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
