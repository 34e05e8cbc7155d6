import ListChanges

/// Collects what a table view is told about its rows, and gives it as one change-set.
///
/// ```swift
/// var updates = TableUpdates()
/// updates.deleteRows(at: [RowPath(section: 0, row: 3)])
/// updates.moveRow(at: RowPath(section: 0, row: 0), to: RowPath(section: 0, row: 2))
/// let misfit = table.apply(updates.changes, source: rowsAfter, at: now)
/// ```
///
/// The order of the calls has no meaning: deleted, reloaded and moved rows are named by their positions before all of them,
/// inserted rows and destinations by those after all of them. The rows of a deleted or inserted section need not be named.
public struct TableUpdates: Hashable, Sendable {
    private var given = ChangeSet()

    /// Creates updates without any change.
    public init() {}

    /// Whether nothing was inserted, deleted, moved or reloaded.
    public var isEmpty: Bool { given.isEmpty }

    /// Removes sections with their rows. `sections` are indexes before the updates.
    ///
    /// ```swift
    /// var updates = TableUpdates()
    /// updates.deleteSections([2])
    /// updates.insertSections([0])
    /// updates.insertRows(at: [RowPath(section: 1, row: 0)])
    /// updates.reloadRows(at: [RowPath(section: 1, row: 4)])
    /// ```
    public mutating func deleteSections(_ sections: some Sequence<Int>) {
        given.sectionChanges += sections.map { SectionChange(type: .delete, index: $0, group: "") }
    }

    /// Adds sections with their rows. `sections` are indexes after the updates.
    ///
    /// Example: ``deleteSections(_:)``.
    public mutating func insertSections(_ sections: some Sequence<Int>) {
        given.sectionChanges += sections.map { SectionChange(type: .insert, index: $0, group: "") }
    }

    /// Removes rows. `paths` are positions before the updates.
    public mutating func deleteRows(at paths: some Sequence<RowPath>) {
        given.rowChanges += paths.map { RowChange(.delete, from: $0) }
    }

    /// Adds rows. `paths` are positions after the updates.
    ///
    /// Example: ``deleteSections(_:)``.
    public mutating func insertRows(at paths: some Sequence<RowPath>) {
        given.rowChanges += paths.map { RowChange(.insert, to: $0) }
    }

    /// Moves a row from a position before the updates to one after them, and draws it again.
    /// - Parameters:
    ///   - path: the position before the updates.
    ///   - newPath: the position after them.
    public mutating func moveRow(at path: RowPath, to newPath: RowPath) {
        given.rowChanges.append(RowChange(.move, from: path, to: newPath))
    }

    /// Draws rows again. `paths` are positions before the updates.
    ///
    /// Example: ``deleteSections(_:)``.
    public mutating func reloadRows(at paths: some Sequence<RowPath>) {
        given.rowChanges += paths.map { RowChange(.update, from: $0) }
    }
}

extension TableUpdates {
    /// The change-set of all calls so far. It names no keys and no groups. O(k log k) for k changes.
    public var changes: ChangeSet {
        let map = PathMap(unchecked: given)
        var changes = given
        for index in changes.rowChanges.indices where changes.rowChanges[index].type == .update {
            changes.rowChanges[index].after = changes.rowChanges[index].before.flatMap(map.after)
        }
        return changes
    }

    /// Returns values of rows by the positions after the updates; those of deleted rows are dropped. O((k + n) log k) for k
    /// changes and n values.
    /// - Parameter values: by the positions before the updates.
    package func following<Value>(_ values: [RowPath: Value]) -> [RowPath: Value] {
        let map = PathMap(unchecked: given)
        var moves: [RowPath: RowPath] = [:]
        for change in given.rowChanges where change.type == .move {
            if let before = change.before { moves[before] = change.after }
        }
        var followed: [RowPath: Value] = [:]
        for (path, value) in values {
            if let after = moves[path] ?? map.after(path) { followed[after] = value }
        }
        return followed
    }
}

extension RowChange {
    fileprivate init(_ type: ChangeType, from before: RowPath? = nil, to after: RowPath? = nil) {
        self.init(
            type: type, flags: [.object, .metadata], key: nil, before: before, after: after, originalGroup: nil,
            finalGroup: nil)
    }
}
