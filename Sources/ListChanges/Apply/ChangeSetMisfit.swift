/// Why a change-set does not lead from one list to another; a table view would throw an exception.
public enum ChangeSetMisfit: Error, Hashable, Sendable {
    /// The change names a section that does not exist, or one that another change named already.
    case section(SectionChange)
    /// The change names a row that does not exist, or one that another change named already.
    case row(RowChange)
    /// The change names another row than the one at its path.
    case identity(RowChange, found: RowKey)
}

extension ChangeSetMisfit: CustomStringConvertible {
    public var description: String {
        switch self {
        case .section(let change): "There is no such section, or another change took it: \(change)"
        case .row(let change): "There is no such row, or another change took it: \(change)"
        case .identity(let change, let found): "The row that is there is \(found), but the change says: \(change)"
        }
    }
}
