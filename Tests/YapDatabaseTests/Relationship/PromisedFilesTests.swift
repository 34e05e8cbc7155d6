import FileEngine
import Foundation
import Testing

@testable import YapDatabase

/// Files that a rule promised to delete go, whenever the program ends.
@Suite struct PromisedFilesTests {
    @Test func closeWaitsForThem() throws {
        for round in 0..<20 {
            try withTemporaryFolder { folder throws in
                let files = (0..<20).map { folder.appending(path: "file \($0)") }
                try withGraph { database, connection throws in
                    try connection.readWrite { transaction throws in
                        try transaction.set("s")
                        for file in files {
                            try Data().write(to: file)
                            try transaction.graph.addEdge(edge("s", file))
                        }
                    }
                    try connection.readWrite { try $0.delete("s") }
                    try database.close()
                    #expect(files.filter(exists) == [], "round \(round)")
                }
            }
        }
    }

    @Test func whatAProcessLeftTheNextOneDeletes() throws {
        try withTemporaryFolder { folder throws in
            func file(_ name: String) -> URL { folder.appending(path: name) }
            for name in ["gone", "replaced", "linked", "forbidden"] { try Data().write(to: file(name)) }
            let url = folder.appending(path: "test.sqlite")
            let options = YapDatabaseRelationshipOptions()
            options.mayDeleteFile = { $0.lastPathComponent != "forbidden" }
            func opened() throws -> YapDatabase {
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerCodableSerialization(GraphNode.self, forCollection: GraphNode.collection)
                try database.register(YapDatabaseRelationship(options: options), withName: "graph")
                return database
            }
            // As a commit leaves it whose process is killed before it deletes.
            var database = try opened()
            // It has looked for what earlier processes left.
            database.promises.sync {}
            try database.newConnection().readWrite { transaction throws in
                try transaction.set("s")
                for name in ["gone", "replaced", "linked", "forbidden"] {
                    try transaction.store.addPendingFile(
                        PendingFile(url: file(name).absoluteString, identity: identity(file(name))), extension: "graph")
                }
                try transaction.graph.addEdge(edge("s", file("linked")))
            }
            try database.close()
            // Another file in its place. The former one keeps its inode until the new one has another.
            try FileManager.default.moveItem(at: file("replaced"), to: file("former"))
            try Data().write(to: file("replaced"))

            database = try opened()
            try database.close()
            #expect(!exists(file("gone")))
            #expect(exists(file("replaced")) && exists(file("linked")) && exists(file("forbidden")))
            database = try opened()
            let left = try database.newConnection().read { try $0.store.pendingFiles(extension: "graph") }
            #expect(left == [])
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private func edge(_ source: String, _ file: URL) -> YapDatabaseRelationshipEdge {
        YapDatabaseRelationshipEdge(
            name: "file", sourceKey: source, collection: GraphNode.collection, destinationFileURL: file,
            nodeDeleteRules: .deleteDestinationIfSourceDeleted)
    }

    private func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    private func identity(_ file: URL) -> String {
        var status = stat()
        lstat(file.path, &status)
        return "\(status.st_dev) \(status.st_ino)"
    }
}
