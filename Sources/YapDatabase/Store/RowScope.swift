/// Which rows an enumeration visits.
enum RowScope: Hashable {
    /// Every row, in no particular order.
    case all
    /// The rows of one collection, in the order of their keys' bytes.
    case collection(String)
}

/// What an enumeration reads of each row.
enum ScanColumns: Hashable {
    /// The rowid and the key.
    case keys
    /// Also the values' bytes, as far as they are asked for.
    case values
}
