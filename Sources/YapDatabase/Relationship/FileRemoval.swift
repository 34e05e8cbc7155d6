import Dispatch
import Foundation

/// The files that a transaction deletes after its commit.
struct FileRemoval {
    private static let queue = DispatchQueue(label: "YapDatabaseRelationship.files")

    private let mayDelete: @Sendable (URL) -> Bool
    private var files: [URL] = []
    private var known: Set<URL> = []

    init(_ settings: YapDatabaseRelationshipOptions) { mayDelete = settings.mayDeleteFile }

    mutating func insert(_ file: URL) {
        if known.insert(file).inserted, mayDelete(file) { files.append(file) }
    }

    /// Deletes them after the commit; not after a rollback.
    func run(after transaction: YapDatabaseReadWriteTransaction) {
        guard !files.isEmpty else { return }
        transaction.addCompletionQueue(Self.queue) { [files] in files.forEach(Self.remove) }
    }

    /// Not for folders: the location comes from the database file, which may be wrong.
    private static func remove(_ file: URL) {
        guard file.isFileURL, unlink(file.path) != 0, errno != ENOENT else { return }
        YapDatabase.log(
            .warning, "The file \(file.path) of a deleted row is not deleted: \(String(cString: strerror(errno)))")
    }
}

extension YDB_NodeDeleteRules {
    /// Whether the rules delete a file when its source, or its last source, is deleted.
    var deletesFile: Bool {
        !isDisjoint(with: [.deleteDestinationIfSourceDeleted, .deleteDestinationIfAllSourcesDeleted])
    }
}

extension Edge {
    var deleteRules: YDB_NodeDeleteRules { YDB_NodeDeleteRules(rawValue: UInt16(truncatingIfNeeded: rules)) }
}

// MARK: Files of edges

extension YapDatabaseRelationshipTransaction {
    /// The file that an edge leads to; nil if it leads to a row, or if its bytes cannot be read.
    func file(of edge: Edge) -> URL? {
        guard case .file(let bytes) = edge.destination else { return nil }
        let shown = YapDatabaseRelationshipEdge(
            name: edge.name, source: nil, end: nil, rules: edge.deleteRules, isManual: edge.isManual)
        return settings.fileURLDeserializer(shown, Data(bytes))
    }

    /// The bytes to store for the file of an edge.
    func bytes(ofFileOf edge: YapDatabaseRelationshipEdge) throws -> [UInt8] {
        if let data = settings.fileURLSerializer(edge) { return Array(data) }
        throw YapDatabaseError(
            .encodingFailed,
            "The edge \"\(edge.name)\" leads to \(edge.destinationFileURL?.absoluteString ?? "no file"), for which the file "
                + "serializer of \"\(name)\" has no bytes. Give it a file URL.")
    }

    /// The same value for all edges to one row or one file, in whatever bytes the file is stored.
    func identity(_ edge: Edge) -> Edge.Destination {
        guard case .file = edge.destination, !settings.storesPaths, let url = file(of: edge) else {
            return edge.destination
        }
        return .file(Array(url.absoluteString.utf8))
    }

    /// The stored edges to a file.
    func edges(to file: URL, _ filter: EdgeFilter = EdgeFilter()) throws -> [Edge] {
        var filter = filter
        guard settings.storesPaths else {
            filter.isFile = true
            return try table.edges(filter).filter { self.file(of: $0) == file }
        }
        filter.destination = .file(Array(file.absoluteString.utf8))
        return try table.edges(filter)
    }
}
