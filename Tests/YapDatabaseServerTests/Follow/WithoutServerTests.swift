import Foundation
import PostgreSQLBridge
import SQLiteBridge
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A file that follows a space, opened without the server: nothing is stored there that would be lost later.
@Suite(.needsPostgreSQL) struct WithoutServerTests {
    @Test func changesOfTheSpaceAreRefusedWithTheSpaceAndTheServer() throws {
        try withFollowingFile { scene, plain in
            let space = try #require(try plain.followedSpace)
            #expect(space.name == scene.space && space.collections == .allExcept(["drafts"]))
            let address = try #require(space.address)
            #expect(try ServerAddress(address) == ServerAddress(scene.server.address()))

            let writes: [(YapDatabaseReadWriteTransaction) throws -> Void] = [
                { try $0.setObject("new", forKey: "l", inCollection: "c") },
                { try $0.setObject("other", forKey: "k", inCollection: "c") },
                { try $0.replaceMetadata("m", forKey: "k", inCollection: "c") },
                { try $0.removeObject(forKey: "k", inCollection: "c") },
                { try $0.removeAllObjects(inCollection: "c") },
                { try $0.removeAllObjectsInAllCollections() },
                {
                    try $0.setObject("d", forKey: "d", inCollection: "drafts")
                    try $0.setObject("new", forKey: "l", inCollection: "c")
                },
            ]
            for write in writes {
                let error = #expect(throws: YapDatabaseError.self) { try plain.newConnection().readWrite(write) }
                #expect(error?.code == .followsServer)
                for part in [scene.space, address, "yap server detach --from \(plain.path)"] {
                    #expect(error?.message.contains(part) == true, "\(part) in \(error?.message ?? "")")
                }
            }
            #expect(try plain.storedRows().keys.map(\.key) == ["k"])
        }
    }

    @Test func whatIsTheFilesAloneAndListsCanBeWritten() throws {
        try withFollowingFile { scene, plain in
            try plain.set("half a sentence", "d", in: "drafts")
            try plain.register(
                YapDatabaseAutoView(
                    grouping: .withKeyBlock { _, collection, _ in collection },
                    sorting: .withKeyBlock { _, _, _, a, _, b in a < b ? .orderedAscending : .orderedDescending }),
                withName: "view")
            try plain.close()
            let again = try scene.host("a") { $0.collections = .allExcept(["drafts"]) }
            try again.set("2", "m")
            #expect(try again.string("d", in: "drafts") == "half a sentence" && again.string("k") == "1")
        }
    }

    /// Each host derives the rows of its lists itself: they are not sent, and a file without its server may make them.
    @Test func listsOfGroupsAreEachHostsOwn() throws {
        struct Message: Codable, Sendable, Identifiable {
            var id: Int
            var room: String
        }
        let messages = YapCollection("messages", of: Message.self)
        let rooms = YapList("rooms", of: messages, groupedBy: \.room, sortedBy: .ascending(\.id))
        let inbox = YapList("inbox", groupsOf: rooms, sortedBy: .descending(\.count))
        func counts(_ database: YapDatabase) throws -> [Int] {
            try database.newConnection().read { try $0[inbox].values().map(\.count) }
        }
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            let before = try scene.truth().number
            try a.register(rooms, inbox)
            try a.newConnection().readWrite { transaction in
                for id in 0..<5 { try transaction[messages].save(Message(id: id, room: id < 3 ? "x" : "y")) }
            }
            try scene.waitForNumber(before + 1, in: b)
            try b.register(rooms, inbox)
            #expect(try counts(a) == [3, 2])
            #expect(try counts(b) == [3, 2])
            #expect(try scene.truth().number == before + 1)
            try b.newConnection().readWrite { try $0[messages].save(Message(id: 9, room: "x")) }
            try scene.waitForNumber(before + 2, in: a)
            #expect(try counts(a) == [4, 2])
            #expect(try counts(b) == [4, 2])
            #expect(try scene.truth().rows.keys.map(\.collection) == Array(repeating: "messages", count: 6))
            try a.unregisterExtension(withName: "inbox")
            try scene.close(a)
            let plain = try YapDatabase(url: scene.folder.appending(path: "a.sqlite"), options: .forTests)
            try plain.register(rooms, inbox)
            #expect(try counts(plain) == [4, 2])
            try plain.close()
        }
    }

    /// The first program had the file open before there was a space.
    @Test func aFileThatBeginsToFollowWhileItIsOpenIsNoticed() throws {
        try withScene { scene in
            let url = scene.folder.appending(path: "a.sqlite")
            let early = try YapDatabase(url: url, options: .forTests)
            try early.set("mine", "k", in: "drafts")
            #expect(try early.followedSpace == nil)
            // Another process, as far as the file is concerned.
            let position = "1\n1\n\n1\nexcept ZHJhZnRz\n\(UUID().uuidString)\nteam"
            let other = try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 30_000)
            try other.execute("INSERT INTO yap2 VALUES ('', 'server', '\(position)')")
            let error = #expect(throws: YapDatabaseError.self) { try early.set("lost", "l") }
            #expect(error?.code == .followsServer)
            try early.set("mine too", "k", in: "drafts")
            try early.close()
        }
    }

    @Test func aFormThatALaterReleaseHasWrittenIsRefusedToo() throws {
        try withFollowingFile { _, plain in
            try plain.newConnection().readWrite { try $0.setFileValue("2\nsomething\nnew", SpaceValue.position) }
            let error = #expect(throws: YapDatabaseError.self) { try plain.set("lost", "l", in: "drafts") }
            #expect(error?.code == .followsServer)
        }
    }

    @Test func aFileThatWasDetachedIsWrittenAndFollowsNoMore() throws {
        try withFollowingFile { scene, plain in
            #expect(throws: YapDatabaseError.self) { try plain.set("2", "k") }
            try plain.detachFromServer()
            #expect(try plain.followedSpace == nil)
            try plain.set("2", "k")
            try plain.close()
            let again = try YapDatabase(url: scene.folder.appending(path: "a.sqlite"), options: .forTests)
            #expect(try again.followedSpace == nil && again.string("k") == "2")
            try again.set("3", "k")
            try again.close()
            let error = #expect(throws: YapDatabaseServerError.self) { _ = try scene.host("a") }
            #expect(error?.code == .badSpace)
        }
    }

    @Test func aFileThatFollowsNowIsNotDetached() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("1", "k")
            let error = #expect(throws: YapDatabaseError.self) { try a.detachFromServer() }
            #expect(error?.code == .locked)
            try a.set("2", "k")
            try scene.expectEqual(a)
        }
    }

    /// A file with one row of the space, open without the server.
    private func withFollowingFile(_ body: (Scene, YapDatabase) throws -> Void) throws {
        try withScene { scene in
            let a = try scene.host("a") { $0.collections = .allExcept(["drafts"]) }
            try a.set("1", "k")
            try scene.close(a)
            let url = scene.folder.appending(path: "a.sqlite")
            let plain = try YapDatabase(url: url, options: .forTests)
            try body(scene, plain)
            try plain.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}

/// Connection strings that a person can give again.
@Suite(.needsPostgreSQL) struct ServerAddressTextTests {
    @Test(arguments: [
        ("postgres://alice@db.example.com/yap", "postgres://alice@db.example.com/yap"),
        ("postgres://alice:secret@db.example.com:5433/yap", "postgres://alice@db.example.com:5433/yap"),
        ("host=/run/postgresql dbname=yap password=secret", "dbname=yap host=/run/postgresql"),
        ("host=db user='o brien' dbname='it\\'s'", "dbname='it\\'s' host=db user='o brien'"),
        (
            "postgres://a.example,b.example/yap?sslmode=require",
            "dbname=yap host=a.example,b.example port=, sslmode=require"
        ),
    ])
    func anAddressIsToldWithoutItsPassword(given: String, told: String) throws {
        let address = try ServerAddress(given)
        #expect(address.text == told)
        #expect(try ServerAddress(told).text == told)
    }
}
