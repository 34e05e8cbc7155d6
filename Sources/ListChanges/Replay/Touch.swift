/// A row that an operation names. It is tracked through the log by its key, also when it moves to another group.
struct Touch {
    /// The group that held the row before the log; -1 for a row that did not exist.
    var groupBefore: Int32 = -1
    /// The group that holds the row now; -1 for a deleted row.
    var groupAfter: Int32 = -1
    /// The number of the row's key in the log's list; nil if only a cell drawing dependency touched it.
    var key: UInt32?
    /// Whether the row was ever removed, so that it cannot be an update.
    var wasRemoved = false
    /// The union of what the operations changed in the row.
    var flags: ChangeFlags = []
    /// The index in its group before.
    var before = -1
    /// The index in its group now, known once the groups have been walked.
    var after = -1

    /// Whether an operation named the row itself, not only a neighbour.
    var hasKey: Bool { key != nil }
}
