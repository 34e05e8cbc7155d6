import FileEngine
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// What is written without the server, as a person would try it.
@Suite(.needsPostgreSQL) struct MutationTests {
    @Test func aChangeIsThereAtOnceAndReachesTheServerAndTheOthers() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            for host in [a, b] { try host.waitFor(.live) }
            let id = try a.make(Put(key: "k", value: "1"))
            #expect(try a.string("k") == "1")
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            let record = try #require(
                try a.newConnection().read { try $0[YapMutationRecord.all].decodableValues().values.first })
            #expect(record.id == id && record.state == .accepted)
            #expect(try record.commit == a.position?.number)
        }
    }

    /// Counts in a row of a host that is cut off and which another host removes meanwhile; then the two meet.
    /// - Parameter more: what the host does besides without its server.
    /// - Returns: the other host.
    private func makeRejected(
        by host: YapDatabase, behind line: CutLine, _ scene: Scene, _ more: () throws -> Void = {}
    ) throws -> YapDatabase {
        try host.set("0", "n")
        try line.cut()
        try host.make(Increment(key: "n"))
        try more()
        let other = try scene.host("b")
        try other.waitFor(.live)
        try other.set(nil, "n")
        try line.join()
        try host.waitUntilSent()
        return other
    }

    /// It stays until the program has dealt with it, whatever the file follows.
    @Test func aRejectedMutationOutlivesTheSpace() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            var a = try scene.host("a") { $0.address = line.address }
            let b = try makeRejected(by: a, behind: line, scene)
            let rejected = try a.rejected
            #expect(rejected.count == 1)
            try scene.close(a)
            let alone = try YapDatabase(url: scene.folder.appending(path: "a.sqlite"), options: .forTests)
            try alone.detachFromServer()
            #expect(try alone.rejected == rejected)
            try alone.close()
            a = try scene.host("a") {
                $0.address = line.address
                $0.replacesLocalRows = true
            }
            try a.waitFor(.live)
            for number in 0..<3 { try a.make(Put(key: "k\(number)", value: "1")) }
            try a.waitUntilSent()
            #expect(try a.rejected == rejected)
            try scene.expectEqual(a, b)
        }
    }

    @Test func withoutItsServerAFileIsWrittenAndSaysWhatWaits() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            try line.cut()
            for key in ["1", "2"] { try a.make(Put(key: key, value: "v")) }
            try a.make(Increment(key: "n"))
            #expect(try a.string("n") == "1")
            try a.newConnection().read { transaction throws in
                #expect(try transaction.hasPendingChanges(forKey: "1", inCollection: "c"))
                #expect(try !transaction.hasPendingChanges(forKey: "other", inCollection: "c"))
                #expect(try transaction.pendingMutations().map(\.number) == [1, 2, 3])
            }
            // One that throws leaves nothing.
            #expect(throws: Deed.Impossible.self) { try a.make(Increment(key: "none")) }
            #expect(try a.pending.count == 3)
            // Another host goes on meanwhile.
            let b = try scene.host("b")
            try b.set("10", "n")
            try line.join()
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            #expect(try b.string("n") == "11" && b.string("1") == "v")
            #expect(try !a.newConnection().read { try $0.hasPendingChanges(forKey: "1", inCollection: "c") })
        }
    }

    @Test func whatCannotBeAppliedAnyMoreIsKeptWithItsReason() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            let b = try makeRejected(by: a, behind: line, scene) { try a.make(Put(key: "k", value: "v")) }
            try scene.expectEqual(a, b)
            #expect(try b.string("n") == nil && b.string("k") == "v")
            let record = try #require(try a.rejected.first)
            #expect(record.name == "increment" && record.reason?.contains("There is no counter n.") == true)
            #expect(record.changes?.map(\.key) == ["n"] && record.changes?.first?.object != nil)
            // Once more, when it is possible.
            try a.set("5", "n")
            try a.newConnection().repeatMutation(record)
            try a.waitUntilSent()
            #expect(try a.rejected.isEmpty)
            try scene.expectEqual(a, b)
            #expect(try b.string("n") == "6")
            #expect(throws: YapDatabaseError.self) { try a.newConnection().forgetMutation(record) }
        }
    }

    /// A file that has never met its server takes mutations, also if it is opened without it.
    @Test func aNewFileIsWrittenBeforeTheFirstContact() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            try line.cut()
            var a = try scene.host("a") { $0.address = line.address }
            try a.make(Put(key: "k", value: "1"))
            try scene.close(a)
            // Without its server.
            let alone = try YapDatabase(url: scene.folder.appending(path: "a.sqlite"), options: .forTests)
            try alone.make(Put(key: "l", value: "2"))
            #expect(throws: YapDatabaseError.self) { try alone.set("x", "m") }
            try alone.close()
            let b = try scene.host("b")
            try b.set("0", "k")
            try b.set("0", "other")
            try line.join()
            a = try scene.host("a") { $0.address = line.address }
            a.registerMutations(Put.self)
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            #expect(try b.string("k") == "1" && b.string("l") == "2" && a.string("other") == "0")
        }
    }

    /// A list sees what differs in the end: a pending row that no one else touched does not move, and is not even updated.
    @Test func aPendingRowStaysWhereItIsWhileOthersArrive() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            let b = try scene.host("b")
            try b.set("A1", "1")
            try b.set("A5", "5")
            try scene.expectEqual(a, b)
            let list = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, collection, _ in collection == "c" ? "all" : nil },
                sorting: .withKeyBlock { _, _, _, key1, _, key2 in
                    key1 == key2 ? .orderedSame : key1 < key2 ? .orderedAscending : .orderedDescending
                }, versionTag: "1")
            try a.register([("list", list)])
            try line.cut()
            try a.make(Put(key: "3", value: "A3"))
            let follower = try ListFollower(a, view: "list", groups: ["all"])
            for key in ["2", "4"] { try b.set("A\(key)", key) }
            let number = try scene.truth().number
            try line.join()
            try waitUntil("the rows are there") { try (a.position?.reached ?? 0) >= number }
            // Whatever comes first, the rows of others or the sign that it is sent.
            try a.waitUntilSent()
            let set = try #require(try follower.advance())
            let kinds = set.rowChanges.map(\.type)
            #expect(kinds.filter { $0 == .insert }.count == 2 && kinds.filter { $0 == .update }.count == 1)
            #expect(set.rowChanges.count == 3 && set.sectionChanges.isEmpty, "\(set)")
            try scene.expectEqual(a, b)
        }
    }

    /// An older program on the same file keeps what it does not know, and a newer one sends it.
    @Test func aMutationThatAProgramDoesNotKnowWaits() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            var a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            try line.cut()
            try a.make(Increment(key: "n"))
            try a.make(Put(key: "k", value: "v"))
            try scene.close(a)
            let b = try scene.host("b")
            try b.waitFor(.live)
            try b.set("x", "other")
            try line.join()
            a = try scene.host("a") { $0.address = line.address }
            try waitUntil("it says why") { a.server?.reasonOfWaiting?.contains("\"increment\"") == true }
            #expect(try a.string("n") == "1" && a.string("other") == "x" && a.string("k") == "v")
            #expect(try a.pending.map(\.state) == [.waiting, .waiting])
            // A transaction that the server confirms would build on it.
            let error = #expect(throws: YapDatabaseServerError.self) { try a.set("y", "other") }
            #expect(error?.code == .mutationsWait)
            try b.set("10", "n")
            a.registerMutations(Increment.self, Put.self)
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            #expect(try b.string("n") == "11")
        }
    }

    /// A program that is started registers its lists a moment after it has opened the file, which then sends already.
    @Test func aMutationThatReadsAListWaitsUntilTheListIsRegistered() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            var a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            try a.register(AddLine.list)
            try line.cut()
            for id in ["1", "2"] { try a.make(AddLine(id: id)) }
            try scene.close(a)
            let b = try scene.host("b")
            try b.register(AddLine.list)
            try b.waitFor(.live)
            try b.make(AddLine(id: "b"))
            try b.waitUntilSent()
            try line.join()
            a = try scene.host("a") { $0.address = line.address }
            a.registerMutations(AddLine.self)
            try waitUntil("it says why") { a.server?.reasonOfWaiting?.contains("is not registered") == true }
            #expect(try a.pending.map(\.state) == [.waiting, .waiting])
            #expect(try a.newConnection().read { try $0[AddLine.lines].keys().sorted() } == ["1", "2", "b"])
            try a.register(AddLine.list)
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            let places = try b.newConnection().read { try $0[AddLine.list].values().map(\.id) }
            #expect(places == ["b", "1", "2"])
        }
    }

    @Test func aTransactionThatTheServerConfirmsComesAfterWhatIsPending() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            try line.cut()
            for _ in 0..<5 { try a.make(Increment(key: "n")) }
            try line.join()
            try a.newConnection().readWrite { transaction in
                let number = try transaction.object(forKey: "n", inCollection: "c") as? String ?? ""
                try transaction.setObject("\(Int(number)! * 2)", forKey: "n", inCollection: "c")
            }
            #expect(try a.string("n") == "10")
            try scene.expectEqual(a)
        }
    }

    /// Two hosts mutate and commit without a pause, each against the other.
    @Test func mutationsBesideCommitsOfOthersAreAllThere() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            try a.set("0", "n")
            try scene.expectEqual(a, b)
            let count = Effort.isFull ? 300 : 60
            let group = DispatchGroup()
            for host in [a, b] {
                DispatchQueue.global().async(group: group) {
                    do { for _ in 0..<count { try host.make(Increment(key: "n")) } } catch { Issue.record(error) }
                }
            }
            DispatchQueue.global().async(group: group) {
                for number in 0..<count {
                    // On a busy machine it may give way to a mutation.
                    do { try b.set("\(number)", "of b \(number % 7)") } catch let error as YapDatabaseServerError
                        where [.serverUnreachable, .outcomeUnknown].contains(error.code)
                    {} catch { Issue.record(error) }
                }
            }
            try group.wait(for: "both")
            for host in [a, b] { try host.waitUntilSent() }
            try scene.expectEqual(a, b)
            #expect(try a.string("n") == "\(2 * count)")
        }
    }

    /// A transaction that waits for a server which is not there does not keep a mutation waiting.
    @Test func aTransactionThatWaitsForTheServerGivesWayToAMutation() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            try a.waitFor(.live)
            try line.cut()
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) {
                // It gives way, or begins when the mutation has ended.
                do { try a.set("1", "other") } catch let error as YapDatabaseServerError {
                    #expect([.serverUnreachable, .outcomeUnknown].contains(error.code))
                } catch { Issue.record(error) }
            }
            try waitUntil("it is away") { if case .offline = a.server?.state { true } else { false } }
            // The limit of the transaction is ten minutes.
            try a.make(Increment(key: "n"))
            #expect(try a.string("n") == "1")
            try line.join()
            a.server?.refresh()
            try group.wait(for: "the transaction")
            try a.waitUntilSent()
            try scene.expectEqual(a)
        }
    }

    /// Rules and limits of the server.
    @Test func whatTheServerRefusesIsRejected() throws {
        try withScene { scene in
            let parties = try Parties(scene)
            let alice = try #require(parties.hosts["alice"])
            try alice.waitFor(.live)
            try alice.make(SaveNote(note: Note(id: "1", author: "bob", members: "#all")))
            try alice.make(SaveNote(note: Note(id: "2", author: "alice", members: "#all")))
            try alice.waitUntilSent()
            let record = try #require(try alice.rejected.first)
            #expect(record.reason?.contains("The server says") == true, "\(record)")
            #expect(try parties.seen("bob").keys.sorted() == ["2"])
            #expect(try parties.seen("alice").keys.sorted() == ["2"])
        }
    }
}

struct SaveNote: YapMutation {
    static let mutationName = "note"
    var note: Note

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws { try transaction[notes].save(note) }
}
