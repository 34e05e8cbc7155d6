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

    /// A look at many edges delays the next one, so that it takes no more than a tenth of the writers' time.
    @Test func filesAreGatheredAfterALongLookAndCloseDoesNotWait() throws {
        try withTemporaryFolder { folder throws in
            let files = (0..<3).map { folder.appending(path: "\($0)") }
            try withGraph { database, connection throws in
                try connection.readWrite { transaction throws in
                    for (number, file) in files.enumerated() {
                        try Data().write(to: file)
                        try transaction.set("\(number)")
                        try transaction.graph.addEdge(edge("\(number)", file))
                    }
                }
                let start = ContinuousClock.now
                database.paceOfPromises.measure { usleep(100_000) }
                for number in 0..<2 { try connection.readWrite { try $0.delete("\(number)") } }
                database.promises.sync {}
                #expect(start.duration(to: .now) >= .seconds(1))
                #expect(files.map(exists) == [false, false, true])

                // The next one would wait for five seconds.
                database.paceOfPromises.measure { usleep(700_000) }
                let closing = ContinuousClock.now
                try connection.readWrite { try $0.delete("2") }
                try database.close()
                #expect(closing.duration(to: .now) < .milliseconds(4_500))
                #expect(files.map(exists) == [false, false, false])
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

    private typealias Step = @Sendable (YapDatabaseReadWriteTransaction, _ named: GraphNode) throws -> Void

    /// What follows a commit in which the row `a` names a file: transactions, and whether a row names the file after them.
    private static let courses: [(name: String, isNamed: Bool, transactions: [Step])] = [
        ("removed", false, [{ transaction, _ throws in try transaction.delete("a") }]),
        (
            "removed, and named by another row in the next transaction", true,
            [
                { transaction, _ throws in try transaction.delete("a") },
                { transaction, named throws in try transaction.set("b", named) },
            ]
        ),
        (
            "named by another row that is removed in the end", false,
            [
                { transaction, _ throws in try transaction.delete("a") },
                { transaction, named throws in try transaction.set("b", named) },
                { transaction, _ throws in try transaction.delete("b") },
            ]
        ),
        (
            "all removed, and named in the same transaction", true,
            [
                { transaction, named throws in
                    try transaction.removeAllObjectsInAllCollections()
                    try transaction.set("b", named)
                }
            ]
        ),
        (
            "named no more, and again after the rules have run", true,
            [
                { transaction, named throws in
                    try transaction.set("a")
                    try transaction.graph.flush()
                    try transaction.set("a", named)
                }
            ]
        ),
        (
            "one of two rows is removed", true,
            [
                { transaction, named throws in
                    try transaction.set("b", named)
                    try transaction.graph.flush()
                    try transaction.delete("a")
                }
            ]
        ),
        ("all removed", false, [{ transaction, _ throws in try transaction.removeAllObjectsInAllCollections() }]),
    ]

    @Test(arguments: [
        YDB_NodeDeleteRules.deleteDestinationIfSourceDeleted, .deleteDestinationIfAllSourcesDeleted,
    ])
    func aFileGoesIfNoRowNamesIt(rule: YDB_NodeDeleteRules) throws {
        try withTemporaryFolder { folder throws in
            try withGraph { database, connection throws in
                for (name, isNamed, transactions) in Self.courses {
                    let file = folder.appending(path: "v")
                    try Data().write(to: file)
                    let named = node(file.path, rule)
                    try connection.readWrite { try $0.set("a", named) }
                    // The queue is busy until all of them have committed.
                    database.promises.suspend()
                    for body in transactions { try connection.readWrite { try body($0, named) } }
                    database.promises.resume()
                    database.promises.sync {}
                    #expect(exists(file) == isNamed, "\(name)")
                    let notes = try connection.read { try $0.store.pendingFiles(extension: "graph") }
                    #expect(notes == [], "\(name)")
                    try connection.readWrite { try $0.removeAllObjectsInAllCollections() }
                    database.promises.sync {}
                    #expect(!exists(file), "\(name)")
                }
            }
        }
    }

    /// As with `removeObject`.
    @Test func allRowsGoWithFilesThatTheirTransactionNamed() throws {
        try withTemporaryFolder { folder throws in
            try withGraph { database, connection throws in
                let files = ["protocol", "hand", "kept"].map { folder.appending(path: $0) }
                for file in files { try Data().write(to: file) }
                try connection.readWrite { transaction throws in
                    try transaction.set("k")
                    try transaction.graph.addEdge(edge("k", files[2]))
                }
                try connection.readWrite { transaction throws in
                    try transaction.set("a", node(files[0].path, .deleteDestinationIfSourceDeleted))
                    try transaction.graph.addEdge(edge("k", files[1]))
                    // Without its rules.
                    try transaction.graph.removeEdge(edge("k", files[2]), withProcessing: .edgeDeleted)
                    try transaction.removeAllObjectsInAllCollections()
                }
                database.promises.sync {}
                #expect(files.map(exists) == [false, false, true])
            }
        }
    }

    @Test func aFileIsNamedByAnySpellingOfItsPlace() throws {
        try withTemporaryFolder { folder throws in
            let link = folder.appending(path: "link")
            let real = folder.appending(path: "real")
            try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            let (file, path) = (real.appending(path: "s t"), folder.path)
            let spellings = [
                "file://\(path)/real/s%20t", "file://\(path)/real/./s%20t", "file://\(path)//real//s%20t",
                "file://\(path)/real/%73%20t", "file://localhost\(path)/real/s%20t", "file://\(path)/link/s%20t",
                "file://\(path)/real/../real/s%20t", "file://\(path)/real/s%20t?query",
            ]
            for isStoredAsPath in [true, false] {
                let options = YapDatabaseRelationshipOptions()
                if !isStoredAsPath {
                    options.fileURLSerializer = { Data("\(UUID()) \($0.destinationFileURL!.absoluteString)".utf8) }
                    options.fileURLDeserializer = { URL(string: String(decoding: $1.dropFirst(37), as: UTF8.self)) }
                }
                try withGraph(YapDatabaseRelationship(options: options)) { database, connection throws in
                    for (first, second) in spellings.flatMap({ one in spellings.map { (one, $0) } }) {
                        try Data().write(to: file)
                        try connection.readWrite { transaction throws in
                            for (key, spelling) in [("a", first), ("b", second)] {
                                try transaction.set(key)
                                try transaction.graph.addEdge(edge(key, #require(URL(string: spelling))))
                            }
                        }
                        try connection.readWrite { try $0.delete("a") }
                        database.promises.sync {}
                        #expect(exists(file), "\(first) is gone, \(second) names it")
                        try connection.readWrite { try $0.delete("b") }
                        database.promises.sync {}
                        #expect(!exists(file), "\(first), \(second)")
                    }
                }
            }
        }
    }

    @Test func anEdgeOfAnotherProcessKeepsAFile() throws {
        try withTemporaryFolder { folder throws in
            try withGraph { database, connection throws in
                let file = folder.appending(path: "v")
                try Data().write(to: file)
                try connection.readWrite { transaction throws in
                    for key in ["a", "b"] { try transaction.set(key) }
                    try transaction.graph.addEdge(edge("a", file))
                }
                let other = try foreignProgram(database.databaseURL)
                // It writes when the rule has run, and commits when the file is to be deleted.
                database.promises.suspend()
                try connection.readWrite { try $0.delete("a") }
                try other.execute("BEGIN IMMEDIATE")
                try other.execute(
                    """
                    INSERT INTO relationship_graph (name, src, dst, rules, manual) SELECT 'file', rowid, \
                    CAST('\(file.absoluteString)' AS BLOB), 8, 1 FROM database2 WHERE key = 'b'
                    """)
                database.promises.resume()
                usleep(50_000)
                #expect(exists(file))
                try other.execute("COMMIT")
                database.promises.sync {}
                #expect(exists(file))
                try connection.readWrite { try $0.delete("b") }
                database.promises.sync {}
                #expect(!exists(file))
            }
        }
    }

    private func node(_ path: String, _ rules: YDB_NodeDeleteRules) -> GraphNode {
        GraphNode(links: [GraphNode.Link(name: "file", key: nil, file: path, rules: rules.rawValue)])
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
