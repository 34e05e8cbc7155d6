/// Why a log cannot lead from the given mappings to the given counts.
///
/// A caller that gets one has missed a snapshot: call `update` with the new counts and reload the list.
public enum LogMismatch: Error, Hashable, Sendable {
    /// The mappings were never updated, so what was shown before is unknown.
    case neverUpdated
    /// The operation at `position` of the log names an index that the group of `count` rows does not have then.
    case indexOutOfRange(position: Int, group: String, index: Int, count: Int)
    /// The operation at `position` of the log names another row than the one that the log itself put at that index.
    case wrongRow(position: Int, group: String, index: Int, named: RowKey, found: RowKey)
    /// The group has `given` rows after the log, but `expected` follow from it.
    case countsDisagree(group: String, expected: Int, given: Int)
}

extension LogMismatch: CustomStringConvertible {
    public var description: String {
        switch self {
        case .neverUpdated:
            "The mappings have no snapshot to compute changes from. Update them once first."
        case .indexOutOfRange(let position, let group, let index, let count):
            "Operation \(position) of the log names index \(index) of group \"\(group)\", which has \(count) rows at that point."
        case .wrongRow(let position, let group, let index, let named, let found):
            "Operation \(position) of the log names \(named) at index \(index) of group \"\(group)\", but \(found) is there."
        case .countsDisagree(let group, let expected, let given):
            "Group \"\(group)\" should have \(expected) rows after the log, but has \(given)."
        }
    }
}
