import ListChanges

/// The changes of the few rows that can be seen, found in one pass over the change-set.
struct VisibleChanges {
    /// By the row's place before.
    private(set) var before: [RowPath: RowChange] = [:]
    /// By the row's place after.
    private(set) var after: [RowPath: RowChange] = [:]

    /// The changes of rows that were at some places.
    init(_ changes: ChangeSet, leaving places: [RowPath]) {
        guard let first = places.min(), let last = places.max() else { return }
        for change in changes.rowChanges where change.type != .insert {
            if let path = change.before, path >= first, path <= last { before[path] = change }
        }
    }

    /// The changes of rows that are at some places now.
    init(_ changes: ChangeSet, arriving places: [RowPath]) {
        guard let first = places.min(), let last = places.max() else { return }
        for change in changes.rowChanges where change.type != .delete {
            if let path = change.after, path >= first, path <= last { after[path] = change }
        }
    }
}
