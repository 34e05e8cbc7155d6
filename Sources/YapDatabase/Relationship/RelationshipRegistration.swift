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
        guard let previous, try table.exists else {
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
        let isOld = previous.classVersion < Self.fileVersion
        guard isOld || previous.isStale || !previous.versionTag.hasSameBytes(as: graph.tag) else { return false }
        if isOld || previous.isStale { try table.removeEdgesWithoutRows() }
        try table.removeProtocolEdges()
        return true
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
