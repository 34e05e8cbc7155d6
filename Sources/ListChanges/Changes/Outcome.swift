/// What a list on screen must do to get from one snapshot to the next.
public enum Outcome: Hashable, Sendable {
    /// Nothing: it shows the same rows, and none of them changed.
    case none
    /// Apply these changes. They are never empty.
    case changes(ChangeSet)
    /// Reload the list: the groups that stay on screen changed their order, or what changed is unknown.
    case reload
}

extension Outcome {
    /// The changes, empty for `.none`; nil for `.reload`.
    public var changeSet: ChangeSet? {
        switch self {
        case .none: ChangeSet()
        case .changes(let changeSet): changeSet
        case .reload: nil
        }
    }
}
