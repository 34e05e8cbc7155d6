/// A row that an operation named, followed through the log under its key, also from group to group.
struct Touch {
    /// The place in the log of the first operation that names the row; -1 if only a cell drawing dependency touched it.
    private(set) var source: Int32 = -1
    /// The group that held the row before the log; -1 of a row that was not there.
    var groupBefore: Int32 = -1
    /// The group that holds the row now; -1 of a row that is gone.
    var groupAfter: Int32 = -1
    /// Whether the row was ever taken out, so that it cannot be an update.
    var wasRemoved = false
    /// What the operations changed about the row, or-ed.
    var flags: ChangeFlags = []
    /// The index in the group before.
    var before = -1
    /// The index in the group now, known once the groups were walked.
    var after = -1

    /// Remembers that the operation at `position` of the log names the row.
    mutating func named(at position: Int) {
        if source < 0 { source = Int32(position) }
    }

    /// Whether an operation named the row, and not merely a neighbour's.
    var hasKey: Bool { source >= 0 }
}
