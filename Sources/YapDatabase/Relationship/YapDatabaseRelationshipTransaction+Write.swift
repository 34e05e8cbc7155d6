import FileEngine
import ListChanges

/// Writes changed edges to the table.
extension YapDatabaseRelationshipTransaction {
    /// The identity of an edge among those of one row.
    struct EdgeName: Hashable {
        let name: ExactString
        let destination: Edge.Destination
    }

    /// Writes the changes and returns the edges that are gone.
    func writeEdges() throws -> [GoneEdge] {
        let changed = changes.popChanges()
        var gone: [GoneEdge] = []
        for (row, source) in changed.sources { try write(source, of: row, &gone) }
        for (name, change) in changed.manual { try write(change, name, &gone) }
        return gone
    }

    private func write(_ source: GraphChanges.Source, of row: Int64, _ gone: inout [GoneEdge]) throws {
        var stored: [EdgeName: Edge] = [:]
        if !source.isNew {
            for edge in try table.edgesToReplace(of: row) {
                // A damaged table may have an edge twice.
                if let twin = stored.updateValue(edge, forKey: name(edge)) { try table.remove(twin.id) }
            }
        }
        let wanted = try wantedEdges(source.edges, of: row, source.key) { edge in
            gone.append(GoneEdge(missingEnd(edge, from: row), lost: .destination, lostKey: edge.end?.rowKey))
        }
        for (name, edge) in wanted { try store(edge, over: stored.removeValue(forKey: name)) }
        for edge in stored.values.sorted(by: { $0.id < $1.id }) {
            try table.remove(edge.id)
            gone.append(GoneEdge(edge, lost: .source))
        }
    }

    /// The stored forms of the edges that an object names, each name once.
    /// - Parameter missing: called with an edge whose destination does not exist.
    func wantedEdges(
        _ edges: [YapDatabaseRelationshipEdge], of row: Int64, _ key: RowKey,
        missing: (YapDatabaseRelationshipEdge) throws -> Void
    ) throws -> [(name: EdgeName, edge: Edge)] {
        var wanted: [EdgeName: Edge] = [:]
        var order: [EdgeName] = []
        for given in edges {
            guard let end = given.end else { continue }
            let edge = given.withSource(key, isManual: false)
            guard let destination = try destination(end, of: edge) else {
                try missing(edge)
                continue
            }
            let new = Edge(
                name: given.name, source: row, destination: destination, rules: Int64(given.nodeDeleteRules.rawValue),
                isManual: false)
            if wanted.updateValue(new, forKey: name(new)) == nil { order.append(name(new)) }
        }
        return order.compactMap { name in wanted[name].map { (name, $0) } }
    }

    private func write(_ change: GraphChanges.Manual, _ name: GraphChanges.ManualName, _ gone: inout [GoneEdge]) throws
    {
        let source = try row(name.source)
        switch change {
        case .add(let edge):
            let destination = try destination(name.end, of: edge)
            let rules = Int64(edge.nodeDeleteRules.rawValue)
            switch (source, destination) {
            case (nil, nil):
                if settings.declared != nil { throw YapDatabaseError.missingEnd(self.name, of: nil, name.source) }
            case (let source?, nil):
                gone.append(GoneEdge(missingEnd(edge, from: source), lost: .destination, lostKey: name.end.rowKey))
            case (nil, let destination?):
                let new = Edge(name: edge.name, source: 0, destination: destination, rules: rules, isManual: true)
                gone.append(GoneEdge(new, lost: .source, lostKey: name.source))
            case (let source?, let destination?):
                let new = Edge(name: edge.name, source: source, destination: destination, rules: rules, isManual: true)
                try store(new, over: storedManualEdge(name, source))
            }
        case .remove(let reason, let givenRules):
            guard let source else { return }
            let stored = try storedManualEdge(name, source)
            if let stored { try table.remove(stored.id) }
            guard let rules = givenRules.map({ Int64($0.rawValue) }) ?? stored?.rules,
                let destination = try stored?.destination ?? newDestination(name)
            else { return }
            let edge = Edge(
                name: name.name.text, source: source, destination: destination, rules: rules, isManual: true)
            switch reason {
            case .edgeDeleted: return
            case .sourceNodeDeleted: gone.append(GoneEdge(edge, lost: .source))
            case .destinationNodeDeleted: gone.append(GoneEdge(edge, lost: .destination))
            }
        }
    }

    private func store(_ edge: Edge, over stored: Edge?) throws {
        guard let stored else { return try table.insert(edge) }
        if stored.rules != edge.rules { try table.setRules(edge.rules, of: stored.id) }
    }

    private func storedManualEdge(_ name: GraphChanges.ManualName, _ source: Int64) throws -> Edge? {
        let filter = EdgeFilter(name: name.name.text, source: source)
        switch name.end {
        case .file(let url): return try edges(to: url, filter).first(where: \.isManual)
        case .row(let key):
            guard let row = try row(key) else { return nil }
            return try table.readableEdges(EdgeFilter(name: name.name.text, source: source, destination: .row(row)))
                .first(where: \.isManual)
        }
    }

    // MARK: Rows of keys

    /// The row of a key: one that exists, or one that was deleted and still has its edges.
    private func row(_ key: RowKey) throws -> Int64? {
        try transaction.rowid(forKey: key) ?? changes.deletedRow(key)
    }

    private func destination(_ end: EdgeEnd, of edge: YapDatabaseRelationshipEdge) throws -> Edge.Destination? {
        switch end {
        case .row(let key): try row(key).map(Edge.Destination.row)
        case .file: .file(try bytes(ofFileOf: edge))
        }
    }

    private func newDestination(_ name: GraphChanges.ManualName) throws -> Edge.Destination? {
        let edge = YapDatabaseRelationshipEdge(
            name: name.name.text, source: name.source, end: name.end, rules: [], isManual: true)
        return try destination(name.end, of: edge)
    }

    /// An edge whose destination does not exist.
    private func missingEnd(_ edge: YapDatabaseRelationshipEdge, from row: Int64) -> Edge {
        Edge(
            name: edge.name, source: row, destination: .file([]), rules: Int64(edge.nodeDeleteRules.rawValue),
            isManual: edge.isManualEdge)
    }

    func name(_ edge: Edge) -> EdgeName {
        EdgeName(name: ExactString(edge.name), destination: identity(edge))
    }
}

extension EdgeEnd {
    var rowKey: RowKey? {
        if case .row(let key) = self { key } else { nil }
    }
}

/// Edges that are added and removed by hand. They are apart from those of the protocol: neither replaces the other.
extension YapDatabaseRelationshipTransaction {
    /// Adds an edge, or replaces the rules of the one with the same name, source and destination.
    ///
    /// The rows may be written later in the same transaction. If one of them does not exist at its end, the edge is treated
    /// as if that row had been deleted.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the edge lacks a source or a destination.
    public func addEdge(_ edge: YapDatabaseRelationshipEdge) throws {
        _ = readWriteTransaction("addEdge")
        let name = try manualName(edge)
        changes.add(edge.withSource(name.source, isManual: true), name)
    }

    /// Removes the edge with the same name, source and destination. Does nothing if there is none.
    /// - Parameter reason: which of its rules apply: those for the deletion of its source or its destination, or none.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if the edge lacks a source or a destination.
    public func removeEdge(_ edge: YapDatabaseRelationshipEdge, withProcessing reason: YDB_NotifyReason) throws {
        _ = readWriteTransaction("removeEdge")
        changes.remove(try manualName(edge), reason)
    }

    /// Like ``removeEdge(_:withProcessing:)``, by its parts.
    /// - Parameters:
    ///   - name: the name of the edge.
    ///   - sourceKey: the key of the source.
    ///   - sourceCollection: the collection of the source; nil is the collection `""`.
    ///   - destinationKey: the key of the destination.
    ///   - destinationCollection: the collection of the destination; nil is the collection `""`.
    ///   - reason: which of its rules apply: those for the deletion of its source or its destination, or none.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if the edge lacks a source or a destination, which these arguments never
    ///   do.
    public func removeEdge(
        withName name: String, sourceKey: String, collection sourceCollection: String?, destinationKey: String,
        collection destinationCollection: String?, withProcessing reason: YDB_NotifyReason
    ) throws {
        let edge = YapDatabaseRelationshipEdge(
            name: name, sourceKey: sourceKey, collection: sourceCollection, destinationKey: destinationKey,
            collection: destinationCollection, nodeDeleteRules: [])
        try removeEdge(edge, withProcessing: reason)
    }

    private func manualName(_ edge: YapDatabaseRelationshipEdge) throws -> GraphChanges.ManualName {
        if let name = GraphChanges.ManualName(edge) { return name }
        throw YapDatabaseError(
            .badExtension,
            "The edge \"\(edge.name)\" has no \(edge.sourceKey == nil ? "source" : "destination"). Create it with both "
                + "ends to add or remove it by hand.")
    }
}
