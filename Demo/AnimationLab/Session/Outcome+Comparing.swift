import LiveTable

extension Outcome {
    /// The way from one list to another, found by comparing them.
    init(from before: ListSnapshot, to after: ListSnapshot) {
        guard let changes = ChangeSet(from: before, to: after) else {
            self = .reload
            return
        }
        self = changes.isEmpty ? .none : .changes(changes)
    }

    var inverted: Outcome {
        if case .changes(let changes) = self { return .changes(changes.inverted) }
        return self
    }
}
