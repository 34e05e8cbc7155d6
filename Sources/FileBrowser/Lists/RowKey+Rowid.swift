import ListChanges

extension RowKey {
    /// Makes the identity of a row in lists of a file: its rowid, which unlike its key is known without a read.
    package static func of(rowid: Int64) -> RowKey { RowKey(collection: "", key: String(rowid)) }

    /// The rowid that this key was made from.
    package var rowid: Int64? { Int64(key) }
}
