import Foundation
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

@Suite(.needsPostgreSQL) struct FollowTests {
    @Test func whatOneHostWritesTheOtherReads() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            try a.set("hello", "greeting", metadata: "m")
            try scene.expectEqual(a, b)
            #expect(try b.string("greeting") == "hello")
            try b.set("world", "greeting")
            try b.set("x", "other")
            try a.newConnection().readWrite { transaction in
                try transaction.replaceMetadata("new", forKey: "greeting", inCollection: "c")
                try transaction.removeObject(forKey: "other", inCollection: "c")
                try transaction.setObject("y", forKey: "third", inCollection: "d")
            }
            try scene.expectEqual(a, b)
            try b.newConnection().readWrite { transaction in
                try transaction.removeAllObjects(inCollection: "c")
                try transaction.setObject("again", forKey: "greeting", inCollection: "c")
            }
            try scene.expectEqual(a, b)
            #expect(try a.storedRows().count == 2)
            try a.newConnection().readWrite { try $0.removeAllObjectsInAllCollections() }
            try scene.expectEqual(a, b)
            #expect(try b.storedRows().isEmpty)
        }
    }

    @Test func theServersTimeIsKnownOnceItWasReached() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("v", "k")
            let time = try #require(a.server?.time)
            #expect(abs(time.timeIntervalSinceNow) < 60)
            #expect(try #require(a.server?.time) > time)
        }
    }

    @Test func aNewHostGetsEverythingAtOnceAndAReopenedOneTheRest() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.newConnection().readWrite { transaction in
                for number in 0..<5_000 {
                    try transaction.setObject("v\(number)", forKey: "k\(number)", inCollection: "c")
                }
            }
            var b = try scene.host("b")
            try scene.expectEqual(b)
            #expect(b.snapshot <= 2, "one commit brought all rows")
            try scene.close(b)
            try a.set(nil, "k7")
            try a.set("changed", "k8")
            b = try scene.host("b")
            try scene.expectEqual(a, b)
            try b.waitFor(.live)
        }
    }

    @Test func onlyTheChosenCollectionsAreFollowed() throws {
        try withScene { scene in
            let a = try scene.host("a")
            let b = try scene.host("b") { $0.collections = .only(["c"]) }
            let d = try scene.host("d") { $0.collections = .allExcept(["c"]) }
            try a.set("1", "k", in: "c")
            try a.set("2", "k", in: "d")
            // A collection of its own stays in the file, and needs no server.
            try b.set("mine", "k", in: "e")
            try b.set("3", "l", in: "c")
            let number = try scene.truth().number
            for one in [a, b, d] { try scene.waitForNumber(number, in: one) }
            #expect(try a.storedRows().keys.map(\.collection).sorted() == ["c", "c", "d"])
            #expect(try b.storedRows().keys.map(\.collection).sorted() == ["c", "c", "e"])
            #expect(try d.storedRows().keys.map(\.collection).sorted() == ["d"])
        }
    }

    /// To Swift both names are equal.
    @Test func collectionsAreToldApartByTheirBytes() throws {
        try withScene { scene in
            let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
            let a = try scene.host("a")
            let only = try scene.host("only") { $0.collections = .only([composed]) }
            let except = try scene.host("except") { $0.collections = .allExcept([composed]) }
            try a.set("1", "k", in: composed)
            try a.set("2", "k", in: decomposed)
            try only.set("mine", "own", in: decomposed)
            try except.set("3", "l", in: decomposed)
            try except.set("mine", "own", in: composed)
            let number = try scene.truth().number
            for one in [a, only, except] { try scene.waitForNumber(number, in: one) }
            #expect(try [a, only].map { try $0.string("k", in: composed) } == ["1", "1"])
            #expect(try [a, except].map { try $0.string("l", in: decomposed) } == ["3", "3"])
            #expect(try except.string("k", in: decomposed) == "2" && only.string("k", in: decomposed) == nil)
            #expect(try except.string("k", in: composed) == nil && a.string("own", in: composed) == nil)
            #expect(try only.string("own", in: decomposed) == "mine" && a.string("own", in: decomposed) == nil)
        }
    }

    @Test func aCommitSaysWhichCommitOfTheSpaceItBrings() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            try a.set("1", "k")
            try scene.expectEqual(b)
            let connection = try b.newConnection()
            try connection.jump()
            try a.set("2", "k")
            try scene.expectEqual(b)
            let commit = try #require(try connection.jump().last)
            let number = try scene.truth().number
            #expect(commit.customObject as? YapDatabaseServerCommit == YapDatabaseServerCommit(number: number, rows: 1))
            #expect(commit.objectChanges.contains("k", inCollection: "c"))
        }
    }

    @Test func aCopyOfAFileFollowsOnItsOwn() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("1", "k")
            try a.newConnection().backup(toPath: scene.folder.appending(path: "copy.sqlite").path)
            try a.set("2", "k")
            try a.set("3", "l")
            let copy = try scene.host("copy")
            try scene.expectEqual(a, copy)
        }
    }

    /// libpq checks them when it connects, and a file would be away from such a server for ever.
    @Test(arguments: ["sslmode=bogus", "host=localhost port=99999", "host=a,b,c port=1,2"])
    func aFileIsNotOpenedWithAnAddressThatNoAttemptCanMend(address: String) throws {
        try withScene { scene in
            let error = #expect(throws: YapDatabaseServerError.self) {
                _ = try scene.host("a") { $0.address = address }
            }
            #expect(error?.code == .badSpace)
            let other = #expect(throws: YapDatabaseServerError.self) {
                _ = try YapDatabaseServerAdministration(address: address)
            }
            #expect(other?.code == .badSpace)
            // No one answers there, now.
            let away = try scene.host("b") { $0.address = "host=no.such.host.invalid" }
            try waitUntil("it is away") { if case .offline = away.server?.state { true } else { false } }
        }
    }

    @Test func aFileWithRowsOfItsOwnIsNotReplacedUnasked() throws {
        try withScene { scene in
            let url = scene.folder.appending(path: "old.sqlite")
            let old = try YapDatabase(url: url, options: .forTests)
            try old.set("mine", "k")
            try old.close()
            let error = #expect(throws: YapDatabaseServerError.self) { _ = try scene.host("old") }
            #expect(error?.code == .badSpace)
            let replaced = try scene.host("old") { $0.replacesLocalRows = true }
            try scene.host("a").set("theirs", "l")
            try scene.expectEqual(replaced)
        }
    }

    @Test func whatAnEarlierReleaseWritesWithoutAServerGivesWay() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("1", "k")
            try scene.close(a)
            let plain = try YapDatabase(url: scene.folder.appending(path: "a.sqlite"), options: .forTests)
            try plain.setUnasked("other", "k")
            try plain.setUnasked("new", "l")
            try plain.close()
            let again = try scene.host("a")
            try waitUntil("the file is the server's") {
                try again.string("k") == "1" && again.string("l") == nil
            }
            try again.set("2", "m")
            try scene.expectEqual(again)
        }
    }

    @Test func statesCanBeFollowed() async throws {
        let (server, folder) = try scenery()
        defer { try? FileManager.default.removeItem(at: folder) }
        let scene = try Scene(server, folder)
        let a = try scene.host("a")
        let states = try #require(a.server?.states)
        for await state in states where state == .live { break }
        try a.close()
        var rest = 0
        for await _ in states { rest += 1 }
        #expect(rest <= 1)
    }

    /// The first state is `connecting`; then the rows come.
    @Test func waitingUntilIdleWaitsForTheRowsOfTheServer() async throws {
        let (server, folder) = try scenery()
        defer { try? FileManager.default.removeItem(at: folder) }
        let scene = try Scene(server, folder)
        let a = try scene.host("a")
        try await a.newConnection().readWrite { transaction in
            for number in 0..<2_000 { try transaction.setObject("v", forKey: "k\(number)", inCollection: "c") }
        }
        let b = try scene.host("b")
        try await b.waitUntilIdle()
        #expect(try await b.newConnection().read { try $0.numberOfKeys(inCollection: "c") } == 2_000)
        try a.close()
        try b.close()
    }
}
