import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A server that was lost and made again, or put back to yesterday: the files of the hosts are the last copies, and keep what they
/// have until they are told what to do.
@Suite(.needsPostgreSQL) struct LostSpaceTests {
    @Test func anotherSpaceOfTheSameNameIsRefusedAndGetsTheRowsBack() throws {
        try withScene { scene in
            // One of them is open while the space is remade, two are closed.
            let open = try scene.host("open")
            for key in 0..<5 { try open.set("v", "\(key)", metadata: key == 3 ? "m" : nil) }
            let before = try open.storedRows()
            for name in ["a", "b"] {
                let host = try scene.host(name)
                try scene.expectEqual(host)
                try scene.close(host)
            }
            try scene.remakeSpace()
            let a = try scene.host("a")
            for host in [a, open] {
                try host.waitForRefusal(containing: "another one")
                try host.waitForRefusal(containing: "5 rows")
                #expect(try host.storedRows() == before)
                let error = #expect(throws: YapDatabaseServerError.self) { try host.set("w", "k") }
                #expect(error?.code == .wouldLoseRows)
            }
            let given = try a.restoreSpace(address: scene.server.address())
            #expect((given.given, given.different, given.isComplete) == (5, 0, true))
            // The others lose nothing by following.
            let b = try scene.host("b")
            open.server?.refresh()
            try scene.expectEqual(a, b, open)
            for host in [a, b, open] {
                try host.waitFor(.live)
                #expect(try host.storedRows() == before)
            }
            try a.set("w", "k")
            try scene.expectEqual(a, b, open)
        }
    }

    /// The rows were given back while the file was closed, and are lost a second time before it comes again.
    @Test func aServerThatIsPutBackOnceMoreIsRefusedToo() throws {
        try withScene { scene in
            var a = try scene.host("a")
            try a.set("old", "0")
            let putBack = try scene.backUpSpace()
            for key in 1...5 { try a.set("new", "\(key)") }
            let before = try a.storedRows()
            try scene.close(a)
            let url = scene.folder.appending(path: "a.sqlite")
            func restore() throws {
                let plain = try YapDatabase(url: url, options: .forTests)
                #expect(try plain.restoreSpace(address: scene.server.address()).given == 5)
                try plain.close()
            }
            try putBack()
            try restore()
            try putBack()
            a = try scene.host("a")
            try a.waitForRefusal(containing: "5 rows")
            #expect(try a.storedRows() == before)
            try scene.close(a)
            try restore()
            a = try scene.host("a")
            try scene.expectEqual(a)
            #expect(try a.storedRows() == before)
        }
    }

    @Test func aFileTakesTheServersStateAfterACopy() throws {
        try withScene { scene in
            var a = try scene.host("a")
            try a.set("old", "1")
            try a.set("old", "2")
            try scene.close(a)
            try scene.remakeSpace()
            let b = try scene.host("b")
            try b.set("new", "2")
            try b.set("new", "3")
            a = try scene.host("a")
            try a.waitForRefusal(containing: "1 row that is not there, and the content of 1 row")
            let copy = scene.folder.appending(path: "copy.sqlite")
            let connection = try a.newConnection()
            try connection.jump()
            try a.takeServerState(copyingTo: copy)
            try scene.expectEqual(a, b)
            #expect(try a.string("1") == nil && a.string("2") == "new")
            let comparisons = try connection.jump().map { ($0.customObject as? YapDatabaseServerCommit)?.comparison }
            #expect(comparisons.contains(.historyLost))
            let kept = try YapDatabase(url: copy, options: .forTests)
            #expect(try kept.string("1") == "old" && kept.string("2") == "old")
            try kept.close()
            // A copy is made once.
            #expect(throws: YapDatabaseError.self) { try a.takeServerState(copyingTo: copy) }
            try a.set("more", "4")
            try scene.expectEqual(a, b)
        }
    }

    /// `pg_dump` of yesterday: the same space, but less of it.
    @Test(arguments: [false, true])
    func commitsThatTheServerLostStayInTheFiles(othersGoOn: Bool) throws {
        try withScene { scene in
            let a = try scene.host("a")
            var b = try scene.host("b")
            try a.set("kept", "0")
            try a.set("old", "1")
            let putBack = try scene.backUpSpace()
            for key in 2..<6 { try a.set("lost", "\(key)") }
            try a.set("lost", "1")
            try scene.expectEqual(a, b)
            let before = try a.storedRows()
            try scene.close(b)
            try putBack()
            if othersGoOn {
                // A host without a past goes beyond the number that the others have.
                let fresh = try scene.host("fresh")
                for round in 0..<9 { try fresh.set("fresh \(round)", "f") }
                try scene.close(fresh)
            }
            b = try scene.host("b")
            for host in [a, b] {
                try host.waitForRefusal(containing: "4 rows that are not there, and the content of 1 row")
                #expect(try host.storedRows() == before)
                let error = #expect(throws: YapDatabaseServerError.self) { try host.set("w", "k") }
                #expect(error?.code == .wouldLoseRows)
            }
            var given = try a.restoreSpace(address: scene.server.address())
            #expect((given.given, given.different, given.isComplete) == (4, 1, false))
            a.server?.refresh()
            try a.waitForRefusal(containing: "0 rows that are not there, and the content of 1 row")
            given = try a.restoreSpace(address: scene.server.address(), replacing: true)
            #expect((given.given, given.replaced, given.isComplete) == (0, 1, true))
            b.server?.refresh()
            try scene.expectEqual(a, b)
            #expect(
                try b.string("1") == "lost" && b.string("5") == "lost"
                    && a.string("f") == (othersGoOn ? "fresh 8" : nil))
        }
    }

    /// Another program has written the file meanwhile, which is compared for that reason: the server's loss is found all the same.
    @Test func alsoAFileThatIsComparedAnywayLosesNothing() throws {
        try withScene { scene in
            var a = try scene.host("a")
            try a.set("v", "1")
            let putBack = try scene.backUpSpace()
            try a.set("v", "2")
            try scene.close(a)
            try putBack()
            let plain = try YapDatabase(url: scene.folder.appending(path: "a.sqlite"), options: .forTests)
            try plain.setUnasked("own", "3")
            try plain.close()
            a = try scene.host("a") { $0.collections = .only(["c"]) }
            try a.waitForRefusal(containing: "2 rows")
            #expect(try a.string("2") == "v" && a.string("3") == "own")
        }
    }

    /// A space that went on, and forgot what it removed, is no loss.
    @Test func removalsBeyondThePurgeAreFollowed() throws {
        try withScene { scene in
            var b = try scene.host("b")
            let a = try scene.host("a")
            for key in 0..<50 { try a.set("v", "\(key)") }
            try scene.expectEqual(a, b)
            try scene.close(b)
            for key in 0..<40 { try a.set(nil, "\(key)") }
            #expect(try scene.administration().purge(space: scene.space, olderThan: .zero) == 40)
            b = try scene.host("b")
            try scene.expectEqual(a, b)
            #expect(try b.storedRows().count == 10)
        }
    }

    /// Files and servers of releases that knew no identity.
    @Test func whatHasNoIdentityYetGetsOne() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let sql = try scene.sql()
            try sql.execute("ALTER TABLE yap.space DROP COLUMN identity", limits: AnswerLimits())
            var a = try scene.host("a")
            try a.set("1", "k")
            #expect(try a.position?.identity == nil)
            // While it follows.
            #expect(try scene.administration().prepare(space: scene.space) == [])
            a.server?.refresh()
            try waitUntil("the file knows the space") { try a.position?.identity != nil }
            try a.set("2", "k")
            // A file of before at a server of now.
            try scene.close(a)
            let plain = try YapDatabase(url: scene.folder.appending(path: "a.sqlite"), options: .forTests)
            try plain.newConnection().readWrite { try $0.setFileValue("", SpaceValue.identity) }
            try plain.close()
            a = try scene.host("a")
            try waitUntil("the file knows the space again") { try a.position?.identity != nil }
            try a.set("3", "k")
            try scene.expectEqual(a)
        }
    }
}
