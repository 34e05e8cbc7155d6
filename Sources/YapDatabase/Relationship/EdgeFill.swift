import FileEngine
import Foundation

/// Stores the edges of all objects, from rows that are read for several extensions at once. Applies no rule: an edge to a row that
/// does not exist is left out, which ``EdgeTable/lacksEdges`` says then.
final class EdgeFill: RowReceiver {
    private unowned let graph: YapDatabaseRelationshipTransaction
    private var tally: Tally
    private var leavesOut = false

    init(_ graph: YapDatabaseRelationshipTransaction, _ progress: Progress?) throws {
        self.graph = graph
        tally = try Tally(progress) {
            try graph.transaction.count(allowedCollections: graph.settings.allowedCollections)
        }
    }

    var allowedCollections: YapWhitelistBlacklist? { graph.settings.allowedCollections }
    var needs: RowNeeds { .object }

    func receive(_ row: ScannedRow) throws { try receive(DecodedRow(row, needs: needs)) }

    func receive(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws { try rows.forEach(receive) }

    private func receive(_ row: DecodedRow) throws {
        try tally.add()
        let object = try graph.decoding(row.rowid, row.key, needs) { () -> Any? in
            try row.require(needs)
            return row.object
        }
        guard let node = object.flatMap({ $0 }) as? any YapDatabaseRelationshipNode else { return }
        let edges = (node.yapDatabaseRelationshipEdges() ?? []).map { $0.withSource(row.key, isManual: false) }
        var stored: [GraphChanges.ManualName: Edge] = [:]
        for edge in edges {
            guard let name = GraphChanges.ManualName(edge) else { continue }
            stored[name] = try storedForm(edge, row.rowid)
            if stored[name] == nil { leavesOut = true }
        }
        for edge in edges {
            guard let name = GraphChanges.ManualName(edge), let edge = stored.removeValue(forKey: name) else {
                continue
            }
            try graph.table.insert(edge)
        }
    }

    func end() throws { try graph.table.setLacksEdges(leavesOut) }

    private func storedForm(_ edge: YapDatabaseRelationshipEdge, _ source: Int64) throws -> Edge? {
        let destination: Edge.Destination
        switch edge.end {
        case nil: return nil
        case .file: destination = .file(try graph.bytes(ofFileOf: edge))
        case .row(let key):
            guard let row = try graph.transaction.rowid(forKey: key) else { return nil }
            destination = .row(row)
        }
        return Edge(
            name: edge.name, source: source, destination: destination, rules: Int64(edge.nodeDeleteRules.rawValue),
            isManual: false)
    }
}
