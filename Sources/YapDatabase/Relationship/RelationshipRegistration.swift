import FileEngine
import Foundation

/// Creates and upgrades the table of a relationship.
///
/// Version 1 of the layout has no edges by hand; versions 1 and 2 give `dst` a type that converts values; version 3 stores files
/// by their paths. Edges that were added by hand are kept from version 2 on.
struct RelationshipRegistration {
    private let graph: YapDatabaseRelationshipTransaction
    private let table: EdgeTable
    private static let (version, fileVersion, manualColumns) = (
        4, 3, Set(["name", "src", "dst", "rules", "manual"])
    )

    init(_ graph: YapDatabaseRelationshipTransaction) {
        self.graph = graph
        table = graph.table
    }

    /// - Returns: whether the objects have to be asked for their edges.
    func run(_ previous: RegisteredExtension?) throws -> Bool {
        guard let previous, try table.exists,
            try previous.classVersion < Self.fileVersion || Self.manualColumns.isSubset(of: table.columns)
        else {
            try table.drop()
            try table.create()
            return true
        }
        guard previous.classVersion <= Self.version else {
            throw YapDatabaseError(
                .newerVersion,
                "The relationship \"\(graph.name)\" was written by a newer release: its layout has version "
                    + "\(previous.classVersion), this release knows \(Self.version). Update this program.")
        }
        if previous.classVersion < Self.fileVersion {
            try table.recreate(keepingManualEdges: Self.manualColumns.isSubset(of: table.columns))
        }
        if previous.classVersion < Self.version { try moveFiles() }
        try removeEdgesOfLostRows()
        let isOld = previous.classVersion < Self.fileVersion
        guard isOld || previous.isStale || !previous.versionTag.hasSameBytes(as: graph.tag) else { return false }
        if isOld || previous.isStale { try table.removeEdgesWithoutRows() }
        try table.removeProtocolEdges()
        return true
    }

    /// Removes the edges of rows that are lost and whose rowids new rows will get: a new row would have edges that it does not name, and a rule
    /// might delete it.
    private func removeEdgesOfLostRows() throws {
        let lost = try table.rowidsBehindRows()
        if lost.isEmpty { return }
        try graph.requireWriting()
        try table.dropEdges(of: lost)
    }

    /// Replaces paths by URLs. What the migration cannot read stays, as bytes that name no file.
    private func moveFiles() throws {
        for (id, path, data) in try table.oldFileEdges() {
            let url = graph.settings.migration(path, data.map { Data($0) })
            let edge = url.map {
                YapDatabaseRelationshipEdge(name: "", source: nil, end: .file($0), rules: [], isManual: false)
            }
            if let edge, let bytes = graph.settings.fileURLSerializer(edge) {
                try table.setDestination(.file(Array(bytes)), of: id)
            } else if let path {
                try table.setDestination(.file(Array(path.utf8)), of: id)
            }
        }
    }
}

/// Stores the edges of all objects, from rows that are read for several extensions at once. Applies no rule: an edge to a row that
/// does not exist is left out, which ``EdgeTable/lacksEdges`` says then.
final class EdgeReceiver: RowReceiver {
    private unowned let graph: YapDatabaseRelationshipTransaction
    private var counter: ProgressCounter
    private var leavesOut = false

    init(_ graph: YapDatabaseRelationshipTransaction, _ progress: Progress?) throws {
        self.graph = graph
        counter = try ProgressCounter(progress) {
            try graph.transaction.count(allowedCollections: graph.settings.allowedCollections)
        }
    }

    var allowedCollections: YapWhitelistBlacklist? { graph.settings.allowedCollections }
    var needs: RowNeeds { .object }

    func receive(_ row: ScannedRow) throws { try receive(DecodedRow(row, needs: needs)) }

    func receive(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws { try rows.forEach(receive) }

    private func receive(_ row: DecodedRow) throws {
        try counter.add()
        let named = try graph.decoding(row.rowid, row.key, needs) {
            try row.require(needs)
            return try graph.settings.edges(of: row.object, row.key)
        }
        let edges = (named ?? []).map { $0.withSource(row.key, isManual: false) }
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
