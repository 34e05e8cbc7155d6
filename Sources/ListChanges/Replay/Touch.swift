/// A row that an operation names. It is tracked through the log by its key, also when it moves to another group.
struct Touch {
    /// The position in the log of the first operation that names the row; -1 if only a cell drawing dependency touched
    /// it.
    private(set) var source: Int32 = -1
    /// The group that held the row before the log; -1 for a row that did not exist.
    var groupBefore: Int32 = -1
    /// The group that holds the row now; -1 for a deleted row.
    var groupAfter: Int32 = -1
    /// Whether the row was ever removed, so that it cannot be an update.
    var wasRemoved = false
    /// The union of what the operations changed in the row.
    var flags: ChangeFlags = []
    /// The index in its group before.
    var before = -1
    /// The index in its group now, known once the groups have been walked.
    var after = -1

    /// Records that the operation at `position` of the log names the row.
    mutating func named(at position: Int) {
        if source < 0 { source = Int32(position) }
    }

    /// Whether an operation named the row itself, not only a neighbour.
    var hasKey: Bool { source >= 0 }
}
