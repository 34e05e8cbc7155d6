import ObjectDecoding

/// A row as it is printed: where it stands, and what its bytes mean.
package struct ListedRow: Sendable {
    /// Where the list is a view's.
    package var group: String?
    /// The place in the whole group, where the list is a view's.
    package var index: Int?
    package var row: BrowsedRow
    let decoder: RowDecoder

    package init(_ row: BrowsedRow, group: String? = nil, index: Int? = nil, decoder: RowDecoder) {
        self.group = group
        self.index = index
        self.row = row
        self.decoder = decoder
    }

    /// Bytes of its values.
    var size: Int { (row.object?.size ?? 0) + (row.metadata?.size ?? 0) }
}
