import FileEngine
import ListChanges

/// Which edges an app asks for; nil for any.
struct EdgeQuery {
    var name: String?
    var source: RowKey?
    var end: EdgeEnd?

    func includes(_ edge: YapDatabaseRelationshipEdge) -> Bool {
        if let name, !edge.name.hasSameBytes(as: name) { return false }
        if let source, edge.source != source { return false }
        return end == nil || edge.end == end
    }
}

/// Queries over the table and, in a read-write transaction, the changes that are not written yet.
extension YapDatabaseRelationshipTransaction {
    func enumerate(
        _ query: EdgeQuery, _ block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        var stop = false
        for edge in try stored(query) {
            guard let edge = try shown(edge), isCurrent(edge) else { continue }
            try block(edge, &stop)
            if stop { return }
        }
        for edge in try pending(query) {
            try block(edge, &stop)
            if stop { return }
        }
    }

    func count(_ query: EdgeQuery) throws -> Int {
        if changes.isEmpty, settings.storesPaths || query.end?.rowKey != nil || query.end == nil {
            return try filter(query).map(table.count) ?? 0
        }
        var count = 0
        try enumerate(query) { _, _ in count += 1 }
        return count
    }

    private func stored(_ query: EdgeQuery) throws -> [Edge] {
        guard let filter = try filter(query) else { return [] }
        let edges: [Edge]
        if case .file(let url) = query.end {
            edges = try self.edges(to: url, filter)
        } else {
            edges = try table.edges(filter)
        }
        if changes.isEmpty { return edges }
        return edges.filter { edge in
            if changes.deletedKey(edge.source) != nil { return false }
            if case .row(let row) = edge.destination, changes.deletedKey(row) != nil { return false }
            return edge.isManual || changes.sources[edge.source] == nil
        }
    }

    /// Nil if a row of the query does not exist.
    private func filter(_ query: EdgeQuery) throws -> EdgeFilter? {
        var filter = EdgeFilter(name: query.name)
        if let source = query.source {
            guard let row = try transaction.rowid(forKey: source) else { return nil }
            filter.source = row
        }
        switch query.end {
        case nil: break
        case .file(let url): filter.destination = .file(Array(url.absoluteString.utf8))
        case .row(let key):
            guard let row = try transaction.rowid(forKey: key) else { return nil }
            filter.destination = .row(row)
        }
        return filter
    }

    /// The edge as apps see it; nil if one of its rows does not exist, which only a damaged table has.
    private func shown(_ edge: Edge) throws -> YapDatabaseRelationshipEdge? {
        guard let source = try transaction.key(forRowid: edge.source) else { return nil }
        let end: EdgeEnd?
        switch edge.destination {
        case .file: end = file(of: edge).map(EdgeEnd.file)
        case .row(let row):
            guard let key = try transaction.key(forRowid: row) else { return nil }
            end = .row(key)
        }
        return YapDatabaseRelationshipEdge(
            name: edge.name, source: source, end: end, rules: edge.deleteRules, isManual: edge.isManual)
    }

    /// Whether a stored edge is neither removed nor replaced by hand.
    private func isCurrent(_ edge: YapDatabaseRelationshipEdge) -> Bool {
        guard edge.isManualEdge, !changes.manual.isEmpty, let name = GraphChanges.ManualName(edge) else { return true }
        return changes.manual[name] == nil
    }

    /// The edges that are not written yet and whose rows exist.
    private func pending(_ query: EdgeQuery) throws -> [YapDatabaseRelationshipEdge] {
        if changes.isEmpty { return [] }
        var edges: [YapDatabaseRelationshipEdge] = []
        for (row, source) in changes.sources where changes.deletedKey(row) == nil {
            var known: Set<GraphChanges.ManualName> = []
            // The last of equal edges counts.
            for edge in source.edges.reversed().map({ $0.withSource(source.key, isManual: false) }) {
                guard let name = GraphChanges.ManualName(edge), known.insert(name).inserted else { continue }
                if query.includes(edge) { edges.append(edge) }
            }
        }
        for case .add(let edge) in changes.manual.values where query.includes(edge) { edges.append(edge) }
        return try edges.filter { edge in
            guard let source = edge.source, try transaction.rowid(forKey: source) != nil else { return false }
            return try edge.end?.rowKey.map { try transaction.rowid(forKey: $0) != nil } ?? true
        }
    }
}
