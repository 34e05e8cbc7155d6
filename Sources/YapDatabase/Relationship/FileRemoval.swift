import Dispatch
import FileEngine
import Foundation

/// The files that a transaction deletes after its commit.
///
/// The commit itself notes them in the database. If the process ends before they are deleted, the next one that registers the relationship
/// deletes them.
struct FileRemoval {
    private let mayDelete: @Sendable (URL) -> Bool
    private var files: [URL] = []
    private var known: Set<URL> = []

    init(_ settings: YapDatabaseRelationshipOptions) { mayDelete = settings.mayDeleteFile }

    mutating func insert(_ file: URL) {
        if known.insert(file).inserted, mayDelete(file) { files.append(file) }
    }

    /// Notes the files, and deletes them after the commit; not after a rollback.
    func run(after transaction: YapDatabaseReadWriteTransaction, of name: String) throws {
        let pending = files.compactMap(PendingFile.init)
        if pending.isEmpty { return }
        for file in pending { try transaction.store.addPendingFile(file, extension: name) }
        let database = transaction.connection.database
        transaction.addCompletionQueue(database.promises) { [weak open = database.file, weak database] in
            for file in pending { file.delete() }
            open?.borrowing { database?.forget(pending, of: name) }
        }
    }
}

extension PendingFile {
    /// Nil if there is no such file.
    fileprivate init?(_ url: URL) {
        guard url.isFileURL, let identity = Self.identity(ofFileAt: url.path) else { return nil }
        self.init(url: url.absoluteString, identity: identity)
    }

    private static func identity(ofFileAt path: String) -> String? {
        var status = stat()
        return lstat(path, &status) == 0 ? "\(status.st_dev) \(status.st_ino)" : nil
    }

    /// Deletes the file, if it is the one that was noted. Not a folder: the location comes from the database file, which may be wrong.
    fileprivate func delete() {
        guard let url = URL(string: url), url.isFileURL, Self.identity(ofFileAt: url.path) == identity,
            unlink(url.path) != 0, errno != ENOENT
        else { return }
        YapDatabase.log(
            .warning, "The file \(url.path) of a deleted row is not deleted: \(String(cString: strerror(errno)))")
    }
}

// MARK: What earlier processes left

extension YapDatabase {
    /// Removes the notes of files that are deleted. What cannot be written now is removed when the relationship is registered next.
    fileprivate func forget(_ files: [PendingFile], of name: String) {
        try? newConnection().readWrite { transaction in
            for file in files { try transaction.store.removePendingFile(file, extension: name) }
        }
    }

    /// Deletes the files that commits promised to delete whose processes ended before they did.
    func deletePendingFiles(of name: String) {
        promises.async { [weak file, weak self] in
            file?.borrowing {
                // Notes that cannot be read now are read when the relationship is registered next.
                guard let pending = try? self?.pendingFiles(of: name), !pending.isEmpty else { return }
                for (file, isToBeDeleted) in pending where isToBeDeleted { file.delete() }
                self?.forget(pending.map(\.file), of: name)
            }
        }
    }

    /// The files that are noted, and whether each is to be deleted: the app permits it, and no row has it again.
    private func pendingFiles(of name: String) throws -> [(file: PendingFile, isToBeDeleted: Bool)] {
        try newConnection().read { transaction in
            guard let graph = transaction.ext(name) as? YapDatabaseRelationshipTransaction else { return [] }
            return try transaction.store.pendingFiles(extension: name).map { file in
                guard let url = URL(string: file.url), url.isFileURL, graph.settings.mayDeleteFile(url) else {
                    return (file, false)
                }
                return (file, try graph.edges(to: url).isEmpty)
            }
        }
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
