import ListChanges

/// A row that was just removed.
package struct RemovedRow: Hashable {
    package var rowid: Int64
    package var key: RowKey

    package init(rowid: Int64, key: RowKey) {
        self.rowid = rowid
        self.key = key
    }
}
