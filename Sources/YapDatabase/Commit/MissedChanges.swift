import FileEngine
import ListChanges

/// Rows that changed while an extension was not notified: what a commit record says of a commit by a process without the extension.
struct MissedChanges: Sendable {
    /// The largest number of removed rows of a commit that are recorded, and of rows that are placed one by one. For more, all rows are
    /// compared.
    static let limit = 16_384

    /// With the rowids that they had, in order. A rowid may occur twice, and a row with it may exist again.
    private(set) var removed: [RemovedRow] = []
    /// How the others changed. They exist unless a later commit removed them.
    private(set) var changed: [RowKey: RowChanges.Kind] = [:]
    /// Whether all rows were removed before those in `changed` were written.
    private(set) var isAllGone = false

    /// Adds what a commit changed.
    /// - Returns: false if the record does not say which rows that are.
    mutating func add(_ content: CommitContent) -> Bool {
        let changes = content.changes
        if changes.isAllCleared {
            self = MissedChanges()
            isAllGone = true
        }
        if content.removed == nil, !changes.clearedCollections.isEmpty { return false }
        let gone = content.removed ?? []
        removed += gone
        let goneKeys = Set(gone.map(\.key))
        for (collection, keys) in changes.rows {
            for (name, kind) in keys {
                let key = RowKey(collection: collection.text, key: name.text)
                let isListed = changes.isAllCleared || !kind.contains(.removed) || goneKeys.contains(key)
                guard isListed else { return false }
                changed[key, default: []].formUnion(kind)
            }
        }
        return removed.count + changed.count <= Self.limit
    }

    /// Adds rows that were found in a wrong place, and rows that are gone.
    mutating func add(_ rows: some Sequence<RowKey>, gone: [RemovedRow]) {
        for key in rows { changed[key, default: []].formUnion([.object, .metadata]) }
        removed += gone
    }

    mutating func formUnion(_ other: MissedChanges) {
        if other.isAllGone { self = MissedChanges() }
        isAllGone = isAllGone || other.isAllGone
        removed += other.removed
        changed.merge(other.changed) { $0.union($1) }
    }
}

/// What the state of an extension lacks because programs that do not know it changed rows. Until it is brought up to date, the extension shows its
/// last right state, without the rows that are gone.
struct Behind: Sendable {
    /// The rows that the next write of this process places.
    var rows = MissedChanges()
    /// Whether what it reads from has changed otherwise than the rows say, so that all of it is asked for again.
    var followsMore = false
    /// Whether the file calls the extension up to date all the same, as after a write of a program that knows only SQLite. Then that says nothing after
    /// later commits either, and only a write of this process ends it.
    var isUnmarked = false
    /// The first state whose changed rows are not known; nil if `rows` has all changed rows.
    var unknownSince: FileVersion?

    /// What is left of it after commits with records, after which the file calls the extension up to date.
    /// - Parameter rows: those that the commits changed; nil if they are not known.
    func afterRecovery(_ rows: @autoclosure () -> MissedChanges?) -> Behind? {
        guard unknownSince != nil || isUnmarked else { return nil }
        var rest = self
        if let rows = rows() { rest.rows.formUnion(rows) }
        return rest
    }
}
