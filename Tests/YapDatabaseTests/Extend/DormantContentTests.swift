import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import ViewPageKeys
@testable import YapDatabase

/// Extensions of the file that no one registers, and whose content nothing could rebuild, while rows change.
@Suite struct DormantContentTests {
    private func withFile(_ body: (_ launch: ((YapDatabase) throws -> Void) throws -> Void) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try body { work in
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerCodableSerialization(GraphNode.self, forCollection: GraphNode.collection)
                try work(database)
                try database.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    @Test func aRemovedRowLeavesTheEdges() throws {
        try withFile { launch throws in
            try launch { database throws in
                try database.register(YapDatabaseRelationship(), withName: "graph")
                try database.newConnection().readWrite { transaction throws in
                    for key in ["a", "b", "c"] { try transaction.set(key) }
                    try transaction.link("a", "b", [])
                    try transaction.link("b", "c", .deleteSourceIfDestinationDeleted)
                    try transaction.link("a", "a", [])
                }
            }
            try launch { database throws in
                try database.newConnection().readWrite { transaction throws in
                    try transaction.delete("c")
                    // It has the rowid of `c`.
                    try transaction.set("d", GraphNode("a", []))
                }
            }
            try launch { database throws in
                try database.register(YapDatabaseRelationship(), withName: "graph")
                // The edges of the protocol are asked for again.
                #expect(
                    try database.newConnection().read { try $0.edgeTexts } == [
                        "a -e 0-> a manual", "a -e 0-> b manual", "d -e 0-> a protocol",
                    ])
            }
            try launch { try $0.newConnection().readWrite { try $0.removeAllObjectsInAllCollections() } }
            try launch { database throws in
                try database.register(YapDatabaseRelationship(), withName: "graph")
                #expect(try database.newConnection().read { try $0.edgeTexts } == [])
            }
        }
    }

    /// Marked as stale by one launch, it still follows in the next.
    @Test func aStaleRelationshipStillLosesEdges() throws {
        try withFile { launch throws in
            try launch { database throws in
                try database.register(YapDatabaseRelationship(), withName: "graph")
                try database.newConnection().readWrite { transaction throws in
                    for key in ["a", "b"] { try transaction.set(key) }
                    try transaction.link("a", "b", [])
                }
            }
            try launch { try $0.newConnection().readWrite { try $0.set("c") } }
            try launch { try $0.newConnection().readWrite { try $0.delete("b") } }
        }
    }

    private static let manual = RegisteredExtension(
        className: "YapDatabaseManualView", classVersion: 3, versionTag: "m")

    /// Makes a manual view with pages of these sizes.
    private func addManualView(_ database: YapDatabase, _ sizes: [Int]) throws {
        try database.newConnection().readWrite { transaction throws in
            let store = transaction.store
            try store.createViewTables(view: "manual")
            try store.setRegisteredExtension(Self.manual, name: "manual")
            var row: Int64 = 0
            for (page, size) in sizes.enumerated() {
                let rows = (1...Int64(size)).map { row + $0 }
                for row in rows {
                    try transaction.setObject(1, forKey: "k\(row)")
                    try store.setPage(PageKey("P\(page)"), ofRowid: row, view: "manual")
                }
                let previous = page == 0 ? nil : "P\(page - 1)"
                _ = try store.insertPage(
                    PageRecord(key: "P\(page)", group: "g", previous: previous, count: size), rows: rows,
                    view: "manual")
                row += Int64(size)
            }
        }
    }

    @Test func aRemovedRowLeavesThePagesOfAManualView() throws {
        try withFile { launch throws in
            try launch { try addManualView($0, [2, 3, 2]) }
            try launch { database throws in
                try database.newConnection().readWrite { transaction throws in
                    try transaction.removeObject(forKey: "k1")
                    try transaction.removeObjects(forKeys: ["k3", "k4", "k5"])
                    try transaction.setObject(2, forKey: "k2")
                    let store = transaction.store
                    let pages = try store.all(
                        #"SELECT "pageKey", coalesce("prevPageKey", '-'), "count" FROM "view_manual_page""#
                    ) { "\($0.text(at: 0) ?? "") \($0.text(at: 1) ?? "") \($0.int64(at: 2))" }
                    #expect(pages == ["P0 - 1", "P2 P0 2"])
                    #expect(try store.rows(ofPage: PageKey("P0"), count: 1, view: "manual").rows == [2])
                    #expect(try store.registeredExtension("manual") == Self.manual)
                }
            }
            try launch { database throws in
                try database.newConnection().readWrite { try $0.removeAllObjects(inCollection: nil) }
                let connection = try database.newConnection()
                #expect(try connection.read { try $0.store.pages(ofView: "manual").all.isEmpty })
            }
        }
    }

    @Test func aRemovedRowLeavesTheMappingOfCloudCore() throws {
        try withFile { launch throws in
            try launch { database throws in
                let handle = try foreignProgram(database.databaseURL)
                try handle.execute(
                    "CREATE TABLE cloudcore_mapping_cloud (database_rowid INTEGER NOT NULL, cloudURI TEXT NOT NULL)")
                try handle.execute("INSERT INTO yap2 VALUES ('cloud', 'class', 'YapDatabaseCloudCore')")
                try handle.execute("INSERT INTO cloudcore_mapping_cloud VALUES (1, 'x'), (1, 'y'), (2, 'z')")
                let connection = try database.newConnection()
                try connection.readWrite { transaction throws in
                    for key in ["a", "b"] { try transaction.setObject(1, forKey: key) }
                    try transaction.removeObject(forKey: "a")
                }
                let rows = try handle.statement("SELECT count(*), min(cloudURI) FROM cloudcore_mapping_cloud")
                #expect(try rows.step() && rows.int64(at: 0) == 1 && rows.text(at: 1) == "z")
                rows.reset()
            }
        }
    }

    @Test func whatOnlyItsOwnCodeCanFollowRefusesTheWrite() throws {
        try withFile { launch throws in
            try launch { database throws in
                let handle = try foreignProgram(database.databaseURL)
                try handle.execute("INSERT INTO yap2 VALUES ('cloud', 'class', 'YapDatabaseCloudKit')")
                let connection = try database.newConnection()
                expectError(.badExtension, mentioning: "\"cloud\"", "YapDatabaseCloudKit", "unregisterExtension") {
                    try connection.readWrite { try $0.setObject(1, forKey: "a") }
                }
                #expect(try connection.read { try $0.numberOfKeysInAllCollections() } == 0)
                try database.unregisterExtension(withName: "cloud")
                try connection.readWrite { try $0.setObject(1, forKey: "a") }
            }
        }
    }

    @Test func unregisteringDropsTheTablesOfEveryClass() throws {
        let prefixes = [
            "cloudcore_pipeline_", "cloudcore_pipeline3_", "cloudcore_queue_", "cloudcore_queue2_", "cloudcore_tag_",
            "cloudcore_mapping_", "cloudKit_mapping_", "cloudKit_record_", "cloudKit_queue_", "relationship_",
            "secondaryIndex_",
        ]
        try withTemporaryDatabase { database throws in
            let handle = try foreignProgram(database.databaseURL)
            for prefix in prefixes { try handle.execute("CREATE TABLE \(prefix)x (a)") }
            try handle.execute("INSERT INTO yap2 VALUES ('x', 'class', 'YapDatabaseCloudCore')")
            try database.unregisterExtension(withName: "x")
            #expect(try tables(of: database.databaseURL) == ["database2", "yap2"])
        }
    }
}
