import ListChanges

/// A row as it stands in the file.
package struct BrowsedRow: Hashable, Sendable {
    /// A column of the list's own table, for example of an index or an edge.
    package struct Column: Hashable, Sendable {
        package var name: String
        package var value: StoredValue

        package init(name: String, value: StoredValue) { (self.name, self.value) = (name, value) }
    }

    package var rowid: Int64
    /// Nil if a view or an index names the row but it does not exist.
    package var address: Address?
    package var object: StoredValue?
    /// Nil if the row has none.
    package var metadata: StoredValue?
    /// The columns of the list's own table for this row.
    package var columns: [Column] = []
    /// Whether texts among the values are plain texts, as in tables that are not collections.
    package var hasPlainTexts = false
    /// Why the row cannot be read, in a sentence.
    package var error: String?

    package struct Address: Hashable, Sendable {
        package var collection: StoredText
        package var key: StoredText

        /// As a person reads it: `books/dune`, of a derived row `inbox/room 1`.
        package var words: String { "\(RowKey.shown(collection: collection.text))/\(key.text)" }
    }
}

extension RowKey {
    /// The identity of a row in lists of a file: its rowid, which other than its key costs nothing to know.
    package static func of(rowid: Int64) -> RowKey { RowKey(collection: "", key: String(rowid)) }

    /// The rowid that this key was made of.
    package var rowid: Int64? { Int64(key) }
}
