import Foundation
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A file is opened with other collections than those with which its mutations were made, later or by another process: they wait for a program
/// that follows their rows, and none is lost.
@Suite(.needsPostgreSQL) struct ChangedCollectionsTests {
    /// Sets a row of two collections.
    private struct PutBoth: YapMutation {
        static let mutationName = "put both"
        var value: String

        func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
            for collection in ["x", "y"] {
                let old = try transaction.object(forKey: "k", inCollection: collection) as? String ?? ""
                try transaction.setObject(old + value, forKey: "k", inCollection: collection)
            }
        }
    }

    private static func open(
        _ scene: Scene, _ collections: YapDatabaseServerCollections, _ address: String? = nil, replaces: Bool = false
    ) throws -> YapDatabase {
        let database = try scene.host("a") {
            $0.collections = collections
            $0.replacesLocalRows = replaces
            if let address { $0.address = address }
        }
        database.registerMutations(PutBoth.self, Put.self)
        return database
    }

    /// - Parameter isOvertaken: whether another host writes meanwhile, so that they are applied again.
    @Test(arguments: [false, true]) func mutationsWaitForTheirCollections(isOvertaken: Bool) throws {
        try withScene { scene in
            let b = try scene.host("b")
            let line = try CutLine(scene)
            var a = try Self.open(scene, .all, line.address)
            for collection in ["x", "y"] { try a.set("-", "k", in: collection) }
            try line.cut()
            try waitUntil("it is offline") { a.server?.state.isAway == true }
            try a.make(Put(key: "first", value: "v", collection: "x"))
            try a.make(PutBoth(value: "a"))
            try a.make(Put(key: "only", value: "v", collection: "y"))
            try a.make(Put(key: "last", value: "v", collection: "x"))
            try scene.close(a)
            if isOvertaken {
                for collection in ["x", "y"] { try b.set("b", "k", in: collection) }
            }

            a = try Self.open(scene, .only(["x"]))
            try waitUntil("it says why they wait") { a.server?.reasonOfWaiting?.contains("\"y\"") == true }
            try waitUntil("the first is sent") { try b.string("first", in: "x") == "v" }
            #expect(try a.pending.count == 3 && a.rejected.isEmpty)
            #expect(try a.string("only", in: "y") == "v" && a.string("k", in: "y") == "-a")
            #expect(throws: YapDatabaseServerError.self) { try a.set("v", "direct", in: "x") }
            // What others write meanwhile is followed.
            try b.set("b2", "of b", in: "x")
            try waitUntil("it follows") { try a.string("of b", in: "x") == "b2" }
            try scene.close(a)

            a = try Self.open(scene, .all, replaces: true)
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            let start = isOvertaken ? "b" : "-"
            #expect(try b.string("k", in: "x") == start + "a" && b.string("k", in: "y") == start + "a")
            #expect(try b.string("only", in: "y") == "v" && b.string("last", in: "x") == "v" && a.rejected.isEmpty)
        }
    }
}
