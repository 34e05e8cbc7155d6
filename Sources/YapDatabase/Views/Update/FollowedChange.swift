import ListChanges

/// What a view did, as it tells the views that are made from it. They are told after each change, so a view and its followers
/// are never more than one change apart.
enum FollowedChange {
    /// The row was inserted, moved or updated. Nil for a row that was not in the view before.
    case placed(ChangedRow, from: String?)
    /// The row is no longer in the view, and perhaps not in the database.
    case left(Int64, RowKey)
    /// All rows left.
    case cleared
    /// Many rows were placed at once.
    case rearranged(Rearrangement)
}

/// What may differ after many rows were placed at once.
enum Rearrangement {
    /// The order of the groups' rows alone.
    case order
    /// Which rows are in a group. Those that were there before keep their order.
    case rows
    /// Groups, rows and their order.
    case groups
}
