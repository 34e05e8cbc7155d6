/// The changes that lead a list on screen from one snapshot to the next.
///
/// The law: applied to the sections and rows *before*, the way a table view does it, they give exactly those *after*.
/// Deletes, updates and the source of a move name positions in `before`; inserts and the destination of a move name
/// positions in `after`. Section deletes are `before` indexes, section inserts `after` indexes. Every row that is not
/// named keeps its order.
public struct ChangeSet: Hashable, Sendable {
    /// The sections that are deleted or inserted. All changes hold at once; their order has no meaning.
    public var sectionChanges: [SectionChange]
    /// The rows that are inserted, deleted, moved or updated. All changes hold at once; their order has no meaning.
    public var rowChanges: [RowChange]

    /// Creates a change-set. It is empty by default.
    /// - Parameters:
    ///   - sectionChanges: the sections that are deleted or inserted.
    ///   - rowChanges: the rows that change.
    public init(sectionChanges: [SectionChange] = [], rowChanges: [RowChange] = []) {
        self.sectionChanges = sectionChanges
        self.rowChanges = rowChanges
    }

    /// Whether nothing changed that the list shows.
    public var isEmpty: Bool { sectionChanges.isEmpty && rowChanges.isEmpty }
}

/// The raw values are those of the original's `YapDatabaseViewChangeType`.
public enum ChangeType: Int, Hashable, Sendable {
    /// Something comes: its position is one *after* the changes.
    case insert = 1
    /// Something goes: its position is one *before* the changes.
    case delete = 2
    /// A row goes from a position *before* to one *after*, and may have changed as well.
    case move = 3
    /// A row keeps its place among the rows around it and has to be drawn again.
    case update = 4
}

/// A section that is inserted or deleted.
public struct SectionChange: Hashable, Sendable {
    /// `.insert` or `.delete`.
    public var type: ChangeType
    /// For an insert the section's position *after*, for a delete its position *before*.
    public var index: Int
    /// The group that the section shows.
    public var group: String

    /// Creates the change of a section.
    /// - Parameters:
    ///   - type: `.insert` or `.delete`.
    ///   - index: the position after for an insert, before for a delete.
    ///   - group: the group that the section shows.
    public init(type: ChangeType, index: Int, group: String) {
        self.type = type
        self.index = index
        self.group = group
    }
}

/// A row that is inserted, deleted, moved or updated.
public struct RowChange: Hashable, Sendable {
    /// What happens to the row.
    public var type: ChangeType
    /// Which parts of the row changed. An inserted or deleted row has object and metadata, even if it only slid across
    /// a window's edge; a row that moves only because the groups were consolidated has none.
    public var flags: ChangeFlags
    /// The row's identity, if it is known; nil for a row named only by a dependency or by a window's edge.
    public var key: RowKey?
    /// The row's path in `before`; nil for inserts.
    public var before: RowPath?
    /// The row's path in `after`; nil for deletes. Also given for updates.
    public var after: RowPath?
    /// The group that held the row before; nil for inserts.
    public var originalGroup: String?
    /// The group that holds the row after; nil for deletes.
    public var finalGroup: String?

    /// Creates the change of a row.
    /// - Parameters:
    ///   - type: what happens.
    ///   - flags: which parts of the row changed.
    ///   - key: the identity of the row; nil if it is not known.
    ///   - before: the path before; nil for inserts.
    ///   - after: the path after; nil for deletes.
    ///   - originalGroup: the group before; nil for inserts.
    ///   - finalGroup: the group after; nil for deletes.
    public init(
        type: ChangeType, flags: ChangeFlags, key: RowKey?, before: RowPath?, after: RowPath?,
        originalGroup: String?, finalGroup: String?
    ) {
        self.type = type
        self.flags = flags
        self.key = key
        self.before = before
        self.after = after
        self.originalGroup = originalGroup
        self.finalGroup = finalGroup
    }
}

extension ChangeSet {
    /// The inverse: applied to the list *after*, it gives the list *before*.
    package var inverted: ChangeSet {
        ChangeSet(sectionChanges: sectionChanges.map(\.inverted), rowChanges: rowChanges.map(\.inverted))
    }
}

extension SectionChange {
    fileprivate var inverted: SectionChange { SectionChange(type: type.inverted, index: index, group: group) }
}

extension RowChange {
    fileprivate var inverted: RowChange {
        RowChange(
            type: type.inverted, flags: flags, key: key, before: after, after: before, originalGroup: finalGroup,
            finalGroup: originalGroup)
    }
}

extension ChangeType {
    fileprivate var inverted: ChangeType {
        switch self {
        case .insert: .delete
        case .delete: .insert
        case .move, .update: self
        }
    }
}
