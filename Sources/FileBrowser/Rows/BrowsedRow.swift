/// A row as stored in the file.
package struct BrowsedRow: Hashable, Sendable {
    /// A column of the list's own table, for example of an index or an edge.
    package struct Column: Hashable, Sendable {
        package var name: String
        package var value: StoredValue
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
    }
}
