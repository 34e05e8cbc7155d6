import ObjectDecoding

/// What is otherwise in the second of two files.
package enum FileDifference: Sendable {
    /// A row that only the first has.
    case deleted(BrowsedRow)
    /// A row that only the second has.
    case inserted(BrowsedRow)
    /// A row of both, with the places in its values that differ.
    case updated(BrowsedRow.Address, object: [FieldDifference], metadata: [FieldDifference])
    /// A view that only one has.
    case view(String, isNew: Bool)
    /// A group of a view that only one has, with its number of rows.
    case group(String, view: String, isNew: Bool, count: Int)
    /// A row that has another place in a group of both.
    case place(PlaceDifference)
}

/// Another place of a row in a group of a view.
package struct PlaceDifference: Hashable, Sendable {
    package let view: String
    package let group: String
    /// Nil if the row cannot be read.
    package let address: BrowsedRow.Address?
    /// Nil if it was not in the group.
    package let before: Int?
    /// Nil if it is not in the group any more.
    package let after: Int?
}

/// How many differences there are, by kind.
package struct DifferenceCounts: Hashable, Sendable {
    package var inserted = 0
    package var deleted = 0
    package var updated = 0
    /// Rows without a difference.
    package var equal = 0
    /// How many of the equal rows have other bytes, from which the same value is decoded.
    package var storedOtherwise = 0
    /// Views, groups, and places of rows in them.
    package var inViews = 0

    package var isEqual: Bool { inserted + deleted + updated + inViews == 0 }
}
