import FileEngine
import ListChanges

/// What one write transaction did, besides what it wrote to the file.
///
/// It tells every other connection how to move from the previous snapshot to this one: which cached values to drop, and the
/// new state of each extension.
///
/// A commit exists in three forms. This one is what connections of the process use. ``YapDatabaseCommit`` is the
/// public form, and a `CommitRecord` is what the file keeps of it for other processes. The record's content is the
/// changed keys and, for each extension, bytes that only the extension itself reads.
final class Commit: Sendable {
    /// The version of the state after the commit.
    let version: FileVersion
    /// That of the state before; nil if it is unknown.
    let before: FileVersion?
    let edits: RowEdits
    /// The rows that were removed, with the rowids that they had; nil if there were too many.
    let removed: [RemovedRow]?
    /// The log of each extension that changed, by name.
    let logs: [String: any ExtensionLog]
    let custom: SharedValue?
    /// Whether the changes are unknown: the commit stands for several, or its program wrote no record of it.
    let isExternal: Bool
    /// Whether another process committed. Its changes are usually known.
    let isForeign: Bool
    /// The connection that committed, if it still exists.
    let author: Weak<AnyObject>
    /// Approximate bytes of it in memory, without shared values.
    let size: Int
    private let variable: Locked<Variable>

    /// Parts that are computed or dropped later.
    private struct Variable {
        var snapshot: Snapshot
        var indexed: RowChanges?
        var shared: [RowKey: CacheUpdate]
        var written: WrittenObjects
    }

    init(
        snapshot: Snapshot, edits: RowEdits = RowEdits(), removed: [RemovedRow]? = [],
        shared: [RowKey: CacheUpdate] = [:], written: WrittenObjects = WrittenObjects(isWanted: false),
        logs: [String: any ExtensionLog] = [:],
        custom: SharedValue? = nil, isExternal: Bool = false, isForeign: Bool? = nil,
        before: FileVersion? = nil, author: AnyObject? = nil
    ) {
        version = snapshot.version
        self.before = before
        self.edits = edits
        self.removed = removed
        variable = Locked(Variable(snapshot: snapshot, shared: shared, written: written))
        self.logs = logs
        self.custom = custom
        self.isExternal = isExternal
        self.isForeign = isForeign ?? isExternal
        self.author = Weak(author)
        size = 600 + edits.size + logs.values.reduce(0) { $0 + $1.size }
    }

    /// The state after the commit; of an old commit without the states of its extensions.
    var snapshot: Snapshot { variable.withLock { $0.snapshot } }

    /// - Parameter other: the same state with more extensions.
    func replaceSnapshot(by other: Snapshot) { variable.withLock { $0.snapshot = other } }

    /// Drops the states of the extensions, and returns them, because the last of them may be large.
    func dropStates() -> Snapshot {
        variable.withLock { variable in
            defer { variable.snapshot = variable.snapshot.withoutStates }
            return variable.snapshot
        }
    }

    /// The changes by row. O(changed rows) the first time, then O(1).
    var changes: RowChanges {
        variable.withLock { variable in
            if let indexed = variable.indexed { return indexed }
            let changes = edits.changes
            variable.indexed = changes
            return changes
        }
    }

    /// New values of changed rows, if the collection's policy lets connections share them. Dropped values are read from the
    /// file.
    var shared: [RowKey: CacheUpdate] { variable.withLock { $0.shared } }

    /// The written objects, until the commit was announced.
    var written: WrittenObjects { variable.withLock { $0.written } }

    /// Drops the written objects and returns them, because the app's objects must not be destroyed inside a lock.
    func dropWritten() -> WrittenObjects {
        variable.withLock { variable in
            defer { variable.written = WrittenObjects(isWanted: false) }
            return variable.written
        }
    }

    /// Drops the shared values and returns them, because the app's objects must not be destroyed inside a lock.
    func dropShared() -> [RowKey: CacheUpdate] {
        variable.withLock { variable in
            defer { variable.shared = [:] }
            return variable.shared
        }
    }
}

/// Objects that a transaction wrote, by row: of rows that it changed, as far as they are known.
struct WrittenObjects: @unchecked Sendable {
    // @unchecked: they are read as values of a type that is Sendable, or not at all.

    /// Nil if nothing asks for them, or if there are too many.
    private var objects: [RowKey: Any]?
    /// More are not kept: then a commit may concern whatever asks.
    private static let limit = 256

    init(isWanted: Bool) { objects = isWanted ? [:] : nil }

    /// - Parameter object: nil if it was written as bytes.
    @inline(__always) mutating func note(_ key: RowKey, _ object: @autoclosure () -> Any?) {
        if objects != nil { add(key, object()) }
    }

    private mutating func add(_ key: RowKey, _ object: Any?) {
        objects?[key] = object
        if objects?.count ?? 0 > Self.limit { objects = nil }
    }

    /// The object of a row that was written last; nil if it is not known, or of another type.
    func object<Value: Sendable>(_ key: RowKey, as type: Value.Type) -> Value? { objects?[key] as? Value }
}

/// A bounded queue of commits for a consumer. A consumer that is far behind receives a single record in their place, which
/// says that anything may have changed.
///
/// It bounds what waits for the main queue and for the consumer of a stream.
struct CommitBacklog {
    private(set) var commits: [Commit] = []
    private var size = 0

    /// The largest number of waiting commits.
    static let countLimit = 512
    /// The largest sum of their ``Commit/size``.
    static let sizeLimit = 1 << 20

    var isEmpty: Bool { commits.isEmpty }

    mutating func append(_ added: [Commit]) {
        for commit in added {
            commits.append(commit)
            size += commit.size
            if commits.count > Self.countLimit || size > Self.sizeLimit { merge(into: commit) }
        }
    }

    /// Removes and returns the oldest commit.
    mutating func popFirst() -> Commit? {
        guard !commits.isEmpty else { return nil }
        let first = commits.removeFirst()
        size -= first.size
        return first
    }

    mutating func removeAll() -> [Commit] {
        defer { self = CommitBacklog() }
        return commits
    }

    private mutating func merge(into last: Commit) {
        let isForeign = commits.contains(where: \.isForeign)
        let merged = Commit(snapshot: last.snapshot, isExternal: true, isForeign: isForeign)
        (commits, size) = ([merged], merged.size)
    }
}

extension RowCaches {
    /// Removes or replaces the entries of rows that another connection's commit changed.
    func apply(_ commit: Commit) {
        if commit.isExternal { return removeAll() }
        apply(commit.edits.others) { commit.shared }
    }
}

extension CommitContent {
    init(_ commit: Commit, before: Snapshot) {
        edits = commit.edits
        removed = commit.removed
        let after = commit.snapshot
        // Extensions in memory are left out: another process's extension of the same name has a content of its own. So are changes of a stored
        // extension that are only in memory so far: the other processes complete it as this one did.
        let shared = commit.logs.filter { $0.value.isStored && after.entry($0.key)?.extension.isPersistent ?? true }
        logs = shared.compactMapValues(\.bytes)
        let registered = Set(after.extensions.map(\.name)).subtracting(before.extensions.map(\.name))
        isIncomplete = logs.count < shared.count || !registered.isDisjoint(with: logs.keys)
    }
}
