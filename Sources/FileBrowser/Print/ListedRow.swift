import ObjectDecoding

/// A row to print: its position and its decoded values.
package struct ListedRow: Sendable {
    /// Set if the list is a view's.
    package var group: String?
    /// The position in the whole group, if the list is a view's.
    package var index: Int?
    package var row: BrowsedRow
    let decoder: RowDecoder

    package init(_ row: BrowsedRow, group: String? = nil, index: Int? = nil, decoder: RowDecoder) {
        self.group = group
        self.index = index
        self.row = row
        self.decoder = decoder
    }

    /// The size of its values in bytes.
    var size: Int { (row.object?.size ?? 0) + (row.metadata?.size ?? 0) }
}
