import ListChanges

/// The record of one commit: the only thing that leaves a write transaction.
///
/// It tells every other connection how to get from the snapshot before to this one: which cached values to drop, and
/// the new state of each extension.
final class Commit: Sendable {
    /// The state that the commit made.
    let snapshot: Snapshot
    let edits: RowEdits
    /// What each extension did, by its name; extensions that did nothing are left out.
    let logs: [String: any ExtensionLog]
    let custom: SharedValue?
    /// Nothing is known of what changed, as a rule because another process wrote.
    let isExternal: Bool
    /// Another process wrote.
    let isForeign: Bool
    let author: Author
    /// Bytes that the record takes, roughly, without shared values.
    let size: Int
    private let variable: Locked<Variable>

    /// What is made or dropped later.
    private struct Variable {
        var indexed: RowChanges?
        var shared: [RowKey: SharedRow]
    }

    init(
        snapshot: Snapshot, edits: RowEdits = RowEdits(), shared: [RowKey: SharedRow] = [:],
        logs: [String: any ExtensionLog] = [:],
        custom: SharedValue? = nil, isExternal: Bool = false, isForeign: Bool? = nil,
        author: AnyObject? = nil
    ) {
        self.snapshot = snapshot
        self.edits = edits
        variable = Locked(Variable(shared: shared))
        self.logs = logs
        self.custom = custom
        self.isExternal = isExternal
        self.isForeign = isForeign ?? isExternal
        self.author = Author(object: author)
        size = 600 + edits.size + logs.values.reduce(0) { $0 + $1.size }
    }

    /// What happened, by row. O(changed rows) the first time, O(1) from then on.
    var changes: RowChanges {
        variable.withLock { variable in
            if let indexed = variable.indexed { return indexed }
            let changes = edits.changes
            variable.indexed = changes
            return changes
        }
    }

    /// New values of changed rows, where the collection's policy lets connections share them. Those that are not here any
    /// more are read from the file.
    var shared: [RowKey: SharedRow] { variable.withLock { $0.shared } }

    /// Lets go of the shared values, and returns them: they are the user's, and not to be destroyed inside a lock.
    func dropShared() -> [RowKey: SharedRow] {
        variable.withLock { variable in
            defer { variable.shared = [:] }
            return variable.shared
        }
    }

    /// The connection that committed, if it is still there.
    struct Author: @unchecked Sendable {
        // @unchecked: a weak reference is atomic, and it is never assigned after init.
        private(set) weak var object: AnyObject?

        init(object: AnyObject?) { self.object = object }
    }
}
