/// One edit of a view, as it happened inside a read-write transaction.
///
/// The operations of a commit, in order, are the view's *log*; the logs of consecutive commits merge by concatenation.
/// An `index` is a position in the whole group *at that moment*, so each operation is understood only after those
/// before it. A move is a delete followed by an insert. Emptying a whole group at once is one `resetSection` with no
/// row operations.
public enum RawOperation: Hashable, Sendable {
    /// The group came into being (its first page was made).
    case insertSection(group: String)
    /// The group is gone (its last page was dropped).
    case deleteSection(group: String)
    /// Every row of the group was removed at once.
    case resetSection(group: String)
    case insertRow(group: String, index: Int, key: RowKey)
    case deleteRow(group: String, index: Int, key: RowKey)
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
