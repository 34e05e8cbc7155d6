/// Which rows an enumeration visits.
package enum RowScope: Hashable {
    /// Every row, in no particular order.
    case all
    /// The rows of one collection, in the order of their keys' bytes; with a range only the keys from its lower bound
    /// up to, but not including, its upper bound.
    case collection(String, Range<String>? = nil)
}

/// What an enumeration reads of each row.
package enum ScanColumns: Hashable {
    /// The rowid and the key.
    case keys
    /// Also the values' bytes, as far as they are asked for.
    case values
}
