import FileEngine
import Foundation

/// Creates, upgrades and fills the table of a relationship.
///
/// Version 1 of the layout has no edges by hand; versions 1 and 2 give `dst` a type that converts values; version 3 stores files
/// by their paths. Edges that were added by hand are kept from version 2 on.
struct RelationshipRegistration {
    private let graph: YapDatabaseRelationshipTransaction
    private let table: EdgeTable
    private let transaction: YapDatabaseReadTransaction
    private let progress: Progress?
    private static let (version, fileVersion, manualColumns) = (
        4, 3, Set(["name", "src", "dst", "rules", "manual"])
    )

    init(_ graph: YapDatabaseRelationshipTransaction, _ progress: Progress?) {
        self.graph = graph
        table = graph.table
        transaction = graph.transaction
        self.progress = progress
    }

    func run(_ previous: RegisteredExtension?) throws {
        guard let previous, try table.exists else {
            try table.drop()
            try table.create()
            return try populate()
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
        let isOld = previous.classVersion < Self.fileVersion
        guard isOld || previous.isStale || previous.versionTag != graph.tag else { return }
        if isOld || previous.isStale { try table.removeEdgesWithoutRows() }
        try table.removeProtocolEdges()
        try populate()
    }

    /// Stores the edges of all objects. Applies no rule: an edge to a row that does not exist is left out.
    private func populate() throws {
        guard !graph.settings.disableYapDatabaseRelationshipNodeProtocol else { return }
        let allowed = graph.settings.allowedCollections
        var tally = try Tally(progress) { try transaction.count(allowedCollections: allowed) }
        try transaction.enumerateRows(allowedCollections: allowed, columns: .values) { row, _ in
            try tally.add()
            guard let node = try row.object() as? any YapDatabaseRelationshipNode else { return }
            let edges = (node.yapDatabaseRelationshipEdges() ?? []).map { $0.withSource(row.key, isManual: false) }
            var stored: [GraphChanges.ManualName: Edge] = [:]
            for edge in edges {
                guard let name = GraphChanges.ManualName(edge) else { continue }
                stored[name] = try storedForm(edge, row.rowid)
            }
            for edge in edges {
                guard let name = GraphChanges.ManualName(edge), let edge = stored.removeValue(forKey: name) else {
                    continue
                }
                try table.insert(edge)
            }
        }
    }

    private func storedForm(_ edge: YapDatabaseRelationshipEdge, _ source: Int64) throws -> Edge? {
        let destination: Edge.Destination
        switch edge.end {
        case nil: return nil
        case .file: destination = .file(try graph.bytes(ofFileOf: edge))
        case .row(let key):
            guard let row = try transaction.rowid(forKey: key) else { return nil }
            destination = .row(row)
        }
        return Edge(
            name: edge.name, source: source, destination: destination, rules: Int64(edge.nodeDeleteRules.rawValue),
            isManual: false)
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
