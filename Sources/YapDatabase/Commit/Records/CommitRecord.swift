import ListChanges

/// What one commit did, as other processes read it: enough to keep their caches right and to make exact change-sets.
///
/// It is read from the file, so any of it may be wrong: ``agree(with:and:)`` is asked before it is used.
struct CommitRecord: Sendable {
    /// The state that the commit was made on, and the one it made.
    var before: Snapshot.Mark
    var after: Snapshot.Mark
    var changes: RowChanges
    /// The log of each view that changed, by its name.
    var logs: [String: ViewLog]
    /// Whether more changed than is said here: another extension than a view, or a view that was populated when it was
    /// registered.
    var isIncomplete: Bool
}

extension CommitRecord {
    init(_ commit: Commit, before: Snapshot) {
        self.before = before.mark
        after = commit.snapshot.mark
        changes = commit.changes
        logs = commit.logs.compactMapValues { $0 as? ViewLog }
        let registered = Set(commit.snapshot.extensions.map(\.name)).subtracting(before.extensions.map(\.name))
        isIncomplete = logs.count < commit.logs.count || !registered.isDisjoint(with: logs.keys)
    }
}

extension [CommitRecord] {
    /// Whether the logs lead from the rows that the views have in one state to those in another, as far as counts tell. O(k)
    /// for k operations.
    func agree(with before: Snapshot, and after: Snapshot) -> Bool {
        Set(flatMap(\.logs.keys)).allSatisfy { view in
            guard let from = before.entry(view)?.state as? ViewState, let to = after.entry(view)?.state as? ViewState
            else {
                // A view that either state lacks is reloaded.
                return true
            }
            var counts: [String: Int] = [:]
            for operation in lazy.flatMap({ $0.logs[view]?.operations ?? [] }) {
                let count = counts[operation.group] ?? from.count(inGroup: operation.group)
                guard let next = operation.count(from: count) else { return false }
                counts[operation.group] = next
            }
            return counts.allSatisfy { to.count(inGroup: $0.key) == $0.value }
        }
    }
}

extension RawOperation {
    /// The number of rows of its group after the operation; nil where it makes no sense with so many before.
    fileprivate func count(from before: Int) -> Int? {
        switch self {
        case .insertRow(_, let index, _): index <= before ? before + 1 : nil
        case .deleteRow(_, let index, _): index < before ? before - 1 : nil
        case .updateRow(_, let index, _, _): index < before ? before : nil
        case .resetSection: 0
        case .insertSection, .deleteSection: before
        }
    }
}
