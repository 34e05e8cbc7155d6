import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// The table of a relationship, its older layouts, and files as destinations.
@Suite struct RelationshipFileTests {
    private static let layout = [
        #"CREATE TABLE "relationship_graph" ("rowid" INTEGER PRIMARY KEY, "name" CHAR NOT NULL, "src" INTEGER NOT NULL, "#
            + #""dst" BLOB NOT NULL, "rules" INTEGER, "manual" INTEGER)"#,
        #"CREATE INDEX "src_name" ON "relationship_graph" ("src", "name")"#,
        #"CREATE INDEX "dst_name" ON "relationship_graph" ("dst", "name")"#,
    ]

    private func lines(_ database: YapDatabase, _ sql: String) throws -> [String] {
        let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readOnly)
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(at: 0) ?? "NULL") }
        return lines
    }

    @Test func theTablesAreThoseOfTheOriginal() throws {
        try withGraph { database, connection throws in
            let items = "SELECT sql FROM sqlite_master WHERE tbl_name = 'relationship_graph' ORDER BY rowid"
            #expect(try lines(database, items) == Self.layout)
            #expect(
                try lines(
                    database, "SELECT key || ' ' || typeof(data) || ' ' || data FROM yap2 WHERE extension = 'graph'"
                ).sorted() == [
                    "class text YapDatabaseRelationship", "classVersion integer 4", "versionTag text ",
                ])
            try connection.readWrite { transaction throws in
                try transaction.set("s", GraphNode("d", .deleteSourceIfDestinationDeleted))
                try transaction.set("d")
                try transaction.link("d", "s", [])
            }
            let values = "name || typeof(src) || typeof(dst) || rules || manual"
            let edges = "SELECT \(values) FROM relationship_graph ORDER BY rowid"
            #expect(try lines(database, edges) == ["eintegerinteger40", "eintegerinteger01"])
            // Names of indexes are unique in a file.
            try database.register(YapDatabaseRelationship(), withName: "second")
            let second = "SELECT name FROM sqlite_master WHERE tbl_name = 'relationship_second' ORDER BY name"
            #expect(
                try lines(database, second)
                    == ["relationship_second", "relationship_second_dst_name", "relationship_second_src_name"])
            try connection.readWrite { try $0.delete("d") }
            #expect(try lines(database, "SELECT count(*) FROM relationship_second") == ["0"])
            try database.unregisterExtension(withName: "second")
            #expect(try lines(database, "SELECT name FROM sqlite_master WHERE name LIKE '%second%'") == [])
        }
    }

    @Test func reopeningDecodesNoRow() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let decoded = Locked(0)
            func launch(_ tag: String, _ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
                let database = try YapDatabase(url: url, options: .forTests)
                let decoder = PropertyListDecoder()
                database.registerSerializer(
                    { _, _, object in try PropertyListEncoder().encode(object as! GraphNode) },
                    deserializer: { _, _, data in
                        decoded.withLock { $0 += 1 }
                        return try decoder.decode(GraphNode.self, from: data)
                    }, forCollections: [GraphNode.collection])
                try database.register(YapDatabaseRelationship(versionTag: tag), withName: "graph")
                try database.newConnection().readWrite(body)
                try database.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
            try launch("1") { transaction throws in
                try transaction.set("s", GraphNode("d", []))
                try transaction.set("d")
                try transaction.link("d", "s", [])
            }
            try launch("1") { transaction throws in
                #expect(try transaction.edgeTexts == ["d -e 0-> s manual", "s -e 0-> d protocol"])
            }
            #expect(decoded.withLock { $0 } == 0)
            // Another tag asks the objects again and keeps what was added by hand.
            try launch("2") { transaction throws in
                #expect(try transaction.edgeTexts == ["d -e 0-> s manual", "s -e 0-> d protocol"])
            }
            #expect(decoded.withLock { $0 } == 2)
        }
    }

    @Test func registeringAsksTheRowsThatAreThere() throws {
        try withTemporaryDatabase { database throws in
            database.registerCodableSerialization(GraphNode.self, forCollection: GraphNode.collection)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction.set("s", GraphNode("d", []))
                try transaction.set("t", GraphNode("missing", .deleteSourceIfDestinationDeleted))
                try transaction.set("d")
            }
            try database.register(YapDatabaseRelationship(), withName: "graph")
            #expect(try connection.read { try $0.edgeTexts } == ["s -e 0-> d protocol"])
            #expect(try connection.read { try $0.nodes.count } == 3)
        }
    }

    @Test func onlyCollectionsThatAreAllowedAreAsked() throws {
        let options = YapDatabaseRelationshipOptions()
        options.allowedCollections = YapWhitelistBlacklist(blacklist: [GraphNode.collection])
        try withGraph(YapDatabaseRelationship(options: options)) { _, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.set("s", GraphNode("d", []))
                try transaction.set("d")
                try transaction.link("d", "s", [])
            }
            #expect(try connection.read { try $0.edgeTexts } == ["d -e 0-> s manual"])
        }
    }

    @Test func filesGoWithTheirRowsAfterTheCommit() throws {
        try withTemporaryFolder { folder throws in
            func file(_ name: String) -> URL { folder.appending(path: name) }
            for name in ["one", "all", "kept", "forbidden"] { try Data().write(to: file(name)) }
            try FileManager.default.createDirectory(at: file("folder"), withIntermediateDirectories: true)
            let options = YapDatabaseRelationshipOptions()
            options.mayDeleteFile = { $0.lastPathComponent != "forbidden" }
            try withGraph(YapDatabaseRelationship(options: options)) { database, connection throws in
                func link(_ source: String, _ name: String, _ rules: YDB_NodeDeleteRules) -> YapDatabaseRelationshipEdge
                {
                    YapDatabaseRelationshipEdge(
                        name: "file", sourceKey: source, collection: GraphNode.collection,
                        destinationFileURL: file(name), nodeDeleteRules: rules)
                }
                try connection.readWrite { transaction throws in
                    for key in ["a", "b"] {
                        try transaction.set(key)
                        try transaction.graph.addEdge(link(key, "all", .deleteDestinationIfAllSourcesDeleted))
                        try transaction.graph.addEdge(link(key, "folder", .deleteDestinationIfSourceDeleted))
                    }
                    try transaction.graph.addEdge(link("a", "one", .deleteDestinationIfSourceDeleted))
                    try transaction.graph.addEdge(link("a", "forbidden", .deleteDestinationIfSourceDeleted))
                    try transaction.graph.addEdge(link("a", "kept", []))
                }
                #expect(
                    try lines(database, "SELECT CAST(dst AS TEXT) FROM relationship_graph WHERE rules = 0")
                        == [file("kept").absoluteString])
                try connection.read { transaction throws in
                    #expect(try transaction.graph.edgeCount(withName: nil, destinationFileURL: file("all")) == 2)
                }
                try connection.readWrite { transaction throws in
                    try transaction.delete("a")
                    transaction.rollback()
                }
                try connection.readWrite { try $0.delete("a") }
                #expect(FileManager.default.fileExists(atPath: file("all").path))
                try connection.readWrite { try $0.delete("b") }
            }
            func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }
            try waitUntil("the files are deleted") { !exists("one") && !exists("all") }
            #expect(exists("kept") && exists("folder") && exists("forbidden"))
        }
    }

    @Test func aBookmarkOfAnotherSystemIsKeptAsItIs() throws {
        try withGraph { database, connection throws in
            try connection.readWrite { try $0.set("s") }
            let handle = try foreignProgram(database.databaseURL)
            try handle.execute(
                """
                INSERT INTO relationship_graph (name, src, dst, rules, manual) SELECT 'file', rowid, x'626f6f6b00ff', 8, 1 \
                FROM database2
                """)
            try connection.readWrite { transaction throws in
                #expect(try transaction.edgeTexts == ["s -file 8-> ? manual"])
                try transaction.set("s", GraphNode())
            }
            #expect(try lines(database, "SELECT hex(dst) FROM relationship_graph") == ["626F6F6B00FF"])
            try connection.readWrite { try $0.delete("s") }
            #expect(try lines(database, "SELECT hex(dst) FROM relationship_graph") == [])
        }
    }

    @Test(arguments: [1, 2, 3]) func olderLayoutsAreUpgraded(version: Int) throws {
        try withTemporaryDatabase { database throws in
            database.registerCodableSerialization(GraphNode.self, forCollection: GraphNode.collection)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction.set("s", GraphNode("d", []))
                try transaction.set("d")
            }
            let handle = try foreignProgram(database.databaseURL)
            let (type, manual) = (version == 3 ? "BLOB" : "INTEGER", version == 1 ? "" : #", "manual" INTEGER"#)
            try handle.execute(
                """
                CREATE TABLE "relationship_graph" ("rowid" INTEGER PRIMARY KEY, "name" CHAR NOT NULL, \
                "src" INTEGER NOT NULL, "dst" \(type) NOT NULL, "rules" INTEGER\(manual))
                """)
            try handle.execute(
                """
                INSERT INTO yap2 VALUES ('graph', 'class', 'YapDatabaseRelationship'), \
                ('graph', 'classVersion', \(version)), ('graph', 'versionTag', '')
                """)
            let columns = version == 1 ? "" : ", 1"
            func insert(_ values: String, from key: String) throws {
                try handle.execute(
                    "INSERT INTO relationship_graph SELECT \(values) FROM database2 WHERE key = '\(key)'")
            }
            try insert("7, 'file', rowid, '/tmp/x', 8\(columns)", from: "s")
            try insert("8, 'e', rowid, rowid, 0\(columns)", from: "d")
            if version > 1 { try insert("9, 'p', rowid, rowid, 0, 0", from: "d") }
            try database.register(YapDatabaseRelationship(), withName: "graph")
            let manualEdges = ["d -e 0-> d manual", "s -file 8-> /tmp/x manual"]
            let expected =
                switch version {
                case 1: ["s -e 0-> d protocol"]
                case 2: manualEdges + ["s -e 0-> d protocol"]
                // The original keeps the edges of version 3 too.
                default: manualEdges + ["d -p 0-> d protocol"]
                }
            #expect(try connection.read { try $0.edgeTexts } == expected.sorted())
            #expect(try lines(database, "SELECT data FROM yap2 WHERE key = 'classVersion'") == ["4"])
            #expect(
                try lines(database, "SELECT DISTINCT typeof(dst) FROM relationship_graph WHERE name = 'file'")
                    == (version == 1 ? [] : ["blob"]))
        }
    }

    @Test func theCheckFindsEdgesOfRowsThatAreNotThere() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            try database.register(YapDatabaseRelationship(), withName: "graph")
            try database.newConnection().readWrite { try $0.setObject(1, forKey: "k") }
            let handle = try foreignProgram(url)
            try handle.execute(
                """
                INSERT INTO relationship_graph VALUES (1, 'a', 1, 99, 0, 1), (3, 'c', 1, 'x', 0, 1), \
                (4, 'd', 1, CAST('file:///is/not/there' AS BLOB), 0, 1)
                """)
            expectError(.corrupt, mentioning: "Edge 3") {
                try database.newConnection().read { transaction throws in
                    let graph = transaction.ext("graph") as! YapDatabaseRelationshipTransaction
                    try graph.enumerateEdges(withName: "c") { _, _ in }
                }
            }
            // Beside a program that has the relationship, edges of rows that are gone do not last.
            try waitUntil("The edge is gone") { try lines(database, "SELECT rowid FROM relationship_graph").count == 2 }
            try database.close()
            try handle.execute("INSERT INTO relationship_graph VALUES (1, 'a', 1, 99, 0, 1), (2, 'b', 98, 1, 0, 1)")
            let problems = try YapDatabase.check(url: url)
            #expect(problems.count == 3)
            #expect(problems[0].description.contains("edge 3 \"c\" leads to a value"))
            #expect(problems[1].description.contains("edge 1 \"a\" leads to row 99"))
            #expect(problems[2].description.contains("edge 2 \"b\" leads from row 98"))
            // No row is lost by an edge that leads nowhere, and a file need not be there.
            #expect(problems.map(\.kind) == [.loss, .rebuildable, .rebuildable])
        }
    }
}
