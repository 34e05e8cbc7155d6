import ListChanges

/// A row as it stands in the file.
package struct BrowsedRow: Hashable, Sendable {
    /// A column of another table that says something of the row: of the index or the edge that the list shows.
    package struct Column: Hashable, Sendable {
        package var name: String
        package var value: StoredValue
    }

    package var rowid: Int64
    /// Nil where the row is not there, though a view or an index names it.
    package var address: Address?
    package var object: StoredValue?
    /// Nil where the row has none.
    package var metadata: StoredValue?
    /// What the table of the list has beside the row.
    package var columns: [Column] = []
    /// Whether a text among the values is that text and nothing encoded, as in tables that are no collection.
    package var hasPlainTexts = false
    /// Why the row cannot be read, in a sentence.
    package var error: String?

    package struct Address: Hashable, Sendable {
        package var collection: StoredText
        package var key: StoredText
    }
}

extension RowKey {
    /// The identity of a row in lists of a file: its rowid, which other than its key costs nothing to know.
    package static func of(rowid: Int64) -> RowKey { RowKey(collection: "", key: String(rowid)) }

    /// The rowid that this key was made of.
    package var rowid: Int64? { Int64(key) }
}
