import ListChanges

/// What a read-write transaction has changed in a graph and not yet written.
///
/// If a new row gets the rowid of a deleted row before the rules have run, the edges of the deleted row are first
/// moved to an unused rowid. So no rule applies them to the new row.
struct GraphChanges {
    /// The edges that a row has from now on, by its protocol.
    struct Source {
        let key: RowKey
        let edges: [YapDatabaseRelationshipEdge]
        /// Whether the row is new, so that it has no stored edges.
        let isNew: Bool
    }

    /// The identity of an edge that is added or removed by hand.
    struct ManualName: Hashable {
        let name: ExactString
        let source: RowKey
        let end: EdgeEnd

        init?(_ edge: YapDatabaseRelationshipEdge) {
            guard let source = edge.source, let end = edge.end else { return nil }
            (name, self.source, self.end) = (ExactString(edge.name), source, end)
        }
    }

    enum Manual {
        case add(YapDatabaseRelationshipEdge)
        /// The rules are those of an edge that was added before in the same transaction.
        case remove(YDB_NotifyReason, rules: YDB_NodeDeleteRules?)
    }

    private(set) var sources: [Int64: Source] = [:]
    private var sourceOrder: [Int64] = []
    private(set) var manual: [ManualName: Manual] = [:]
    private var manualOrder: [ManualName] = []

    /// The deleted rows whose edges are still stored, in the order of their deletion, from `first` on.
    private var queue: [Int64] = []
    private var first = 0
    private var deleted: [Int64: (key: RowKey, index: Int)] = [:]
    /// Nil until it is needed.
    private var deletedByKey: [RowKey: Int64]?
}

extension GraphChanges {
    var isEmpty: Bool { sources.isEmpty && manual.isEmpty && first == queue.count }

    mutating func setEdges(_ edges: [YapDatabaseRelationshipEdge], of row: Int64, _ key: RowKey, isNew: Bool) {
        let before = sources[row]
        if before == nil { sourceOrder.append(row) }
        sources[row] = Source(key: key, edges: edges, isNew: before?.isNew ?? isNew)
    }

    mutating func add(_ edge: YapDatabaseRelationshipEdge, _ name: ManualName) { set(.add(edge), name) }

    mutating func remove(_ name: ManualName, _ reason: YDB_NotifyReason) {
        var rules: YDB_NodeDeleteRules?
        switch manual[name] {
        case .add(let edge): rules = edge.nodeDeleteRules
        case .remove(_, let known): rules = known
        case nil: break
        }
        set(.remove(reason, rules: rules), name)
    }

    private mutating func set(_ change: Manual, _ name: ManualName) {
        if manual.updateValue(change, forKey: name) == nil { manualOrder.append(name) }
    }

    /// Removes and returns the changes of edges, in the order in which they were made.
    mutating func popChanges() -> (sources: [(row: Int64, Source)], manual: [(ManualName, Manual)]) {
        // A row whose rowid was used again is in the order twice.
        var remaining = sources
        let changes = (
            sources: sourceOrder.compactMap { row in remaining.removeValue(forKey: row).map { (row, $0) } },
            manual: manualOrder.compactMap { name in manual[name].map { (name, $0) } }
        )
        (sources, sourceOrder, manual, manualOrder) = ([:], [], [:], [])
        return changes
    }
}

// MARK: Deleted rows

extension GraphChanges {
    mutating func delete(_ row: Int64, _ key: RowKey) {
        deleted[row] = (key, queue.count)
        queue.append(row)
        deletedByKey = nil
    }

    /// Removes and returns the deleted rows whose edges are still stored.
    mutating func popDeleted() -> [Int64] {
        let rows = Array(queue[first...])
        first = queue.count
        return rows
    }

    /// The key of a row that was deleted; nil for others.
    func deletedKey(_ row: Int64) -> RowKey? { deleted[row]?.key }

    /// The latest deleted row of a key, if its edges are still stored.
    mutating func deletedRow(_ key: RowKey) -> Int64? {
        if deletedByKey == nil {
            deletedByKey = [:]
            for row in queue[first...] {
                if let key = deleted[row]?.key { deletedByKey?[key] = row }
            }
        }
        return deletedByKey?[key].flatMap { row in deleted[row].flatMap { $0.index >= first ? row : nil } }
    }

    /// Called when a new row has the rowid of a deleted one.
    /// - Parameter other: a rowid that nothing has. Called if edges of the deleted row are still stored, which then belong to it.
    mutating func reuse(_ row: Int64, rename other: () throws -> Int64) rethrows {
        guard let node = deleted.removeValue(forKey: row) else { return }
        deletedByKey = nil
        guard node.index >= first else { return }
        let alias = try other()
        deleted[alias] = node
        queue[node.index] = alias
        if let source = sources.removeValue(forKey: row) {
            sources[alias] = source
            sourceOrder.append(alias)
        }
    }

    mutating func forgetDeleted() {
        (queue, first, deleted, deletedByKey) = ([], 0, [:], nil)
    }
}
