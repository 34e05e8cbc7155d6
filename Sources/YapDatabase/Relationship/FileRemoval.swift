import Dispatch
import FileEngine
import Foundation

/// The files that lost an edge in a transaction whose rule deletes them, each once, in the order of the losses.
///
/// The commit notes in the database the files to which no edge leads at its end. After the commit, a write transaction of its own looks again
/// whether an edge of the newest state leads to one of them, and deletes the others: so no transaction of any process can name a file between the
/// look and the deletion. The look reads all edges to files, because a location has many spellings: 60 ms for 100,000 edges on a slow machine. So a
/// ``WorkPace`` gathers the files of several commits. If the process ends before, the next one that registers the relationship deletes them.
struct LostFiles {
    private(set) var urls: [URL] = []
    private var known: Set<URL> = []

    mutating func insert(_ file: URL) {
        if known.insert(file).inserted { urls.append(file) }
    }

    mutating func removeAll() { (urls, known) = ([], []) }
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
    fileprivate func delete(_ url: URL) {
        guard Self.identity(ofFileAt: url.path) == identity, unlink(url.path) != 0, errno != ENOENT else { return }
        YapDatabase.log(
            .warning, "The file \(url.path) of a deleted row is not deleted: \(String(cString: strerror(errno)))")
    }
}

// MARK: What commits promised

extension YapDatabase {
    /// Deletes the noted files of this process's commits, and of processes that ended before they deleted theirs.
    func deletePendingFiles(of name: String) {
        promises.async { [weak file, weak self] in
            file?.borrowing { self?.deletePendingFilesNow(of: name) }
        }
    }

    fileprivate func deletePendingFilesNow(of name: String) {
        do {
            let connection = try newConnection()
            guard try connection.read({ try !$0.store.pendingFiles(extension: name).isEmpty }) else { return }
            try connection.readWrite { transaction in
                let graph = transaction.ext(name) as? YapDatabaseRelationshipTransaction
                try paceOfPromises.measure { try graph?.deletePendingFiles(transaction) }
            }
        } catch let error as YapDatabaseError where error.code == .closed {
        } catch {
            YapDatabase.log(
                .warning,
                "Files of deleted rows of \(file.path) are deleted after the next commit that deletes one, or when \"\(name)\" is "
                    + "registered next: \(error)")
        }
    }
}

extension YapDatabaseRelationshipTransaction {
    /// Notes the file of an edge that is gone with its source, if a rule of the edge deletes it.
    func noteLostFile(of edge: Edge) {
        if edge.deleteRules.deletesFile, let url = file(of: edge) { lostFiles.insert(url) }
    }

    /// Promises to delete the files that were lost and to which no edge leads now. They go after the commit; not after a rollback.
    func promiseLostFiles() throws {
        defer { lostFiles.removeAll() }
        let pending = try lostFiles.urls.filter { try settings.mayDeleteFile($0) && edges(to: $0).isEmpty }
            .compactMap(PendingFile.init)
        if pending.isEmpty { return }
        for file in pending { try transaction.store.addPendingFile(file, extension: name) }
        let database = transaction.connection.database
        readWriteTransaction("prepareCommit").addCompletionQueue(database.promises) {
            [weak open = database.file, weak database, pace = database.paceOfPromises, name] in
            pace.wait()
            open?.borrowing { database?.deletePendingFilesNow(of: name) }
        }
    }

    /// Deletes the files that are noted and to which no edge leads, in any spelling; removes all notes.
    ///
    /// The transaction has the writers' turn. If it cannot be committed, what is deleted stays deleted, and the notes stay, too: they name no file.
    fileprivate func deletePendingFiles(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let pending = try transaction.store.pendingFiles(extension: name)
        let urls = pending.map { URL(string: $0.url) }
        let named = try namedLocations(among: urls.compactMap { $0 })
        for (file, url) in zip(pending, urls) {
            if let url, let location = FileLocation(url), !named.contains(location), settings.mayDeleteFile(url) {
                file.delete(url)
            }
            try transaction.store.removePendingFile(file, extension: name)
        }
    }

    /// The places of files to which edges lead, as far as they are among some files. Looks at every edge to a file.
    private func namedLocations(among files: [URL]) throws -> Set<FileLocation> {
        var folders = RealFolders()
        let wanted = Set(files.compactMap { FileLocation($0, &folders) })
        if wanted.isEmpty { return [] }
        let names = Set(wanted.map(\.name))
        let urls =
            settings.storesPaths
            ? try table.files { FileLocation.name(inURL: $0).map(names.contains) ?? true }
                .map { URL(string: String(decoding: $0, as: UTF8.self)) }
            : try table.readableEdges(EdgeFilter(isFile: true)).map(file(of:))
        return wanted.intersection(urls.compactMap { $0.flatMap { FileLocation($0, &folders) } })
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
            return try table.readableEdges(filter).filter { self.file(of: $0) == file }
        }
        filter.destination = .file(Array(file.absoluteString.utf8))
        return try table.readableEdges(filter)
    }
}
