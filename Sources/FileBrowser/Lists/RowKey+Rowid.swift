import ListChanges

extension RowKey {
    /// The identity of a row in lists of a file: its rowid, which other than its key costs nothing to know.
    package static func of(rowid: Int64) -> RowKey { RowKey(collection: "", key: String(rowid)) }

    /// The rowid that this key was made of.
    package var rowid: Int64? { Int64(key) }
}
