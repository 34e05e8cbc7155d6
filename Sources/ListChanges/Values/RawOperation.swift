/// One edit of a view inside a read-write transaction.
///
/// The operations of a commit, in order, are the view's *log*; the logs of consecutive commits are merged by
/// concatenation. An `index` is a position in the whole group *at that moment*, so an operation depends on all before
/// it. A move is a delete followed by an insert. Emptying a whole group at once is one `resetSection` without row
/// operations.
public enum RawOperation: Hashable, Sendable {
    /// The group was created (its first page was made).
    case insertSection(group: String)
    /// The group was removed (its last page was dropped).
    case deleteSection(group: String)
    /// Every row of the group was removed at once.
    case resetSection(group: String)
    /// A row was inserted at this index.
    case insertRow(group: String, index: Int, key: RowKey)
    /// The row at this index was removed.
    case deleteRow(group: String, index: Int, key: RowKey)
    /// The row at this index stayed there and changed in the parts that `flags` name.
    case updateRow(group: String, index: Int, key: RowKey, flags: ChangeFlags)
}

extension RawOperation {
    /// The group that the operation edits.
    public var group: String {
        switch self {
        case .insertSection(let group), .deleteSection(let group), .resetSection(let group): group
        case .insertRow(let group, _, _), .deleteRow(let group, _, _), .updateRow(let group, _, _, _): group
        }
    }
}
