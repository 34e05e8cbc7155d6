import FileEngine
import ListChanges

// Rows that changed while the relationship was not told of it. No rule runs for them, as with registration: edges are what the rows say.
extension YapDatabaseRelationshipTransaction {
    /// Stores the edges that objects name, and removes those of rows that are gone.
    func placeEdges(_ rows: RowsToPlace) throws {
        // A state that is completed in memory has the table as it is: a write brings it up to date.
        guard (transaction as? YapDatabaseReadWriteTransaction)?.isCompleting == false else { return }
        if rows.isAllGone { try table.removeAll() }
        try table.dropEdges(of: rows.removed.lazy.map(\.rowid))
        for row in rows.changed where row.flags.contains(.object) && settings.isAllowed(row.key) {
            guard let edges = try protocolEdges(row) else { continue }
            changes.setEdges(edges, of: row.rowid, row.key, isNew: false)
        }
        let gone = try writeEdges()
        if gone.contains(where: { $0.lost == .destination }) { try table.setLacksEdges(true) }
    }

    /// Compares the edges that all objects name with those in the table.
    func misplacedEdges(_ check: () throws -> Void) throws -> FoundRows {
        var (found, count, unnoted) = (FoundRows(), 0, UnnotedRows(of: self))
        let namesEdges = !settings.disableYapDatabaseRelationshipNodeProtocol
        try transaction.enumerateRows(allowedCollections: settings.allowedCollections, columns: .values) { row, _ in
            if count % 256 == 0 { try check() }
            count += 1
            guard namesEdges else { return }
            var isUnnoted = false
            defer { if isUnnoted { found.misplaced.append(row.key) } }
            guard
                let content = try unnoted.ifDecodable(
                    row.rowid, &isUnnoted, { try RowContent(row, needs: .object) })
            else { return }
            let edges = (content.object as? any YapDatabaseRelationshipNode)?.yapDatabaseRelationshipEdges() ?? []
            if try !hasEdges(edges, row.rowid, row.key) { found.misplaced.append(row.key) }
        }
        found.gone = try table.rowidsWithoutRow()
        return found
    }

    /// Whether the table has just these edges of an object, and those that were added by hand. Those of an object with an edge that cannot be
    /// read stay as they are.
    private func hasEdges(_ edges: [YapDatabaseRelationshipEdge], _ row: Int64, _ key: RowKey) throws -> Bool {
        let stored: [Edge]
        do {
            stored = try table.edges(EdgeFilter(source: row)).filter { !$0.isManual }
        } catch let error as YapDatabaseError where error.code == .corrupt {
            try transaction.store.checkTransaction()
            return true
        }
        if edges.isEmpty { return stored.isEmpty }
        let wanted = try wantedEdges(edges, of: row, key) { _ in }
        let rules = Dictionary(stored.map { (name($0), $0.rules) }, uniquingKeysWith: { first, _ in first })
        return wanted.count == stored.count && wanted.allSatisfy { rules[$0.name] == $0.edge.rules }
    }
}
