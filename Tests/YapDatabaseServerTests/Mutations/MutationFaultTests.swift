import FileEngine
import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A mutation is stored once: through lost answers, purges, copies of the file, backups of it, and a server that went back.
@Suite(.needsPostgreSQL) struct MutationFaultTests {
    private static let faults: [FaultyProxy.Fault] = [.cutBefore, .cutAfter, .repeat, .delay]

    /// One message after the other fails.
    @Test(arguments: faults) func eachIsStoredOnceWhicheverMessageFails(fault: FaultyProxy.Fault) throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            for index in 0..<(Effort.isFull ? 24 : 8) {
                line.arm(fault, at: index)
                for _ in 0..<3 { try a.make(Increment(key: "n")) }
                try waitUntil("the message fails, or nothing is left to send") {
                    try line.hasFailed || a.pending.isEmpty
                }
                line.disarm()
                a.server?.refresh()
                try a.waitUntilSent()
                #expect(try a.string("n") == "\((index + 1) * 3)", "message \(index)")
            }
            try scene.expectEqual(a)
        }
    }

    /// The server has it, the answer is lost, and weeks later nothing is left of the commit but what is kept for this.
    @Test func oneWhoseCommitWasPurgedIsNotStoredAgain() throws {
        try withScene { scene in
            let b = try scene.host("b")
            let url = try Self.fileWithPending(scene, ["1"])
            let yesterday = try Self.copy(url, "copy", scene)
            let a = try scene.host("a")
            a.registerMutations(Increment.self)
            try a.waitUntilSent()
            try scene.close(a)
            try b.set("x", "other")
            #expect(try scene.administration().purge(space: scene.space, olderThan: .zero) >= 0)
            let copy = try scene.host(yesterday)
            copy.registerMutations(Increment.self)
            try copy.waitUntilSent()
            try scene.expectEqual(copy, b)
            #expect(try b.string("n") == "1")
        }
    }

    /// A release that knows no mutations follows the space with the file while some are pending: it brings in what others have committed, or compares
    /// the whole file, and moves the position. More is done in the file before the next contact, or not.
    @Test(arguments: Effort.some(Array(1...8) as [UInt64]))
    func whatAnEarlierReleaseBringsMeanwhileIsFoundOut(seed: UInt64) throws {
        try withScene { scene in
            var random = SplitMix64(seed: seed)
            let keys = (0..<5).map { "n\($0)" }
            let b = try scene.host("b")
            var (server, own) = ([Int](repeating: 0, count: keys.count), [Int](repeating: 0, count: keys.count))
            for key in keys { try b.set("0", key) }
            let url = try Self.fileWithPending(scene, []) { a in
                for number in 0..<(1 + random.below(8)) {
                    let place = random.below(keys.count)
                    own[place] += 1
                    try a.make(Increment(key: keys[place]))
                    if random.percent(30) { try a.make(New(key: "new \(number)")) }
                }
            }
            var changed: Set<Int> = []
            for _ in 0..<(1 + random.below(8)) {
                let place = random.below(keys.count)
                server[place] += 1
                changed.insert(place)
                try b.set("\(server[place])", keys[place])
            }
            let (comparesAll, doesMore) = (random.percent(50), random.percent(50))
            let context: Comment = "seed \(seed), \(comparesAll), \(doesMore)"
            let plain = try YapDatabase(url: url, options: .forTests)
            plain.registerMutations(Increment.self, New.self)
            let rows = try plain.storedRows().keys.filter { $0.collection == "c" }
            let reached = try #require(try b.newConnection().read { try $0.position() })
            let texts = try b.newConnection().read { transaction in
                try Dictionary(uniqueKeysWithValues: rows.map { ($0, try transaction.storedBytes($0)) })
            }
            try plain.newConnection().writePastAuthority { transaction throws in
                for (key, bytes) in texts where comparesAll || changed.contains(where: { keys[$0] == key.key }) {
                    try transaction.setStored(key, to: bytes)
                }
                var position = try #require(try transaction.position())
                (position.number, position.commit) = (reached.number, reached.commit)
                position.local = transaction.numberOfCommit
                try transaction.setFileValue(position.text, SpaceValue.position)
            } confirming: { _ in
            }
            if doesMore {
                own[0] += 1
                try plain.make(Increment(key: keys[0]))
            }
            let pending = try plain.pending.count
            try plain.close()
            let a = try scene.host("a")
            a.registerMutations(Increment.self, New.self)
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            for (place, key) in keys.enumerated() {
                #expect(try a.string(key) == "\(server[place] + own[place])", context)
            }
            #expect(try a.rejected.isEmpty, context)
            let new = try a.storedRows().keys.count { $0.key.hasPrefix("new ") }
            #expect(new + own.reduce(0, +) == pending, context)
        }
    }

    /// Both have the same mutations, and then some of their own.
    @Test func aCopyOfAFileSendsWhatIsItsOwnAndNothingTwice() throws {
        try withScene { scene in
            let url = try Self.fileWithPending(scene, ["1", "2", "3"])
            let copied = try Self.copy(url, "copy", scene)
            let line = try CutLine(scene)
            try line.cut()
            let a = try scene.host("a") { $0.address = line.address }
            let copy = try scene.host(copied) { $0.address = line.address }
            for host in [a, copy] {
                host.registerMutations(Increment.self)
                try host.make(Increment(key: "n"))
                try host.make(Put(key: host === a ? "of a" : "of the copy", value: "v"))
                #expect(try host.string("n") == "4")
            }
            try line.join()
            for host in [a, copy] { try host.waitUntilSent() }
            try scene.expectEqual(a, copy)
            #expect(try a.string("n") == "5" && a.string("of a") == "v" && copy.string("of the copy") == "v")
        }
    }

    /// The server never gets the id of a mutation that changes nothing. Those behind it are found all the same.
    @Test(arguments: [1, 4, 40]) func onesWithoutEffectDoNotHideTheOnesBehindThem(count: Int) throws {
        try withScene { scene in
            let b = try scene.host("b")
            let url = try Self.fileWithPending(scene, []) { a in
                for number in 0..<count { try a.make(Put(key: "none \(number)", value: nil)) }
                for _ in 0..<3 { try a.make(Increment(key: "n")) }
                try a.make(New(key: "new"))
            }
            // The copy is a file that could not note what the server has accepted.
            let copied = try Self.copy(url, "copy", scene)
            for name in ["a", copied] {
                let host = try scene.host(name)
                host.registerMutations(Increment.self, Put.self, New.self)
                try host.waitUntilSent()
                #expect(try host.string("n") == "3" && host.rejected.isEmpty, "\(name)")
                try scene.expectEqual(host, b)
            }
        }
    }

    /// The original had its first one rejected, so the server does not have it, and has those behind it.
    @Test func aCopyWhoseOriginalHadOneRejectedSendsNothingTwice() throws {
        try withScene { scene in
            let b = try scene.host("b")
            let url = try Self.fileWithPending(scene, []) { a in
                try a.make(New(key: "taken"))
                for _ in 0..<5 { try a.make(Increment(key: "n")) }
                try a.make(New(key: "new"))
            }
            let copied = try Self.copy(url, "copy", scene)
            try b.set("of b", "taken")
            for name in ["a", copied] {
                let host = try scene.host(name)
                host.registerMutations(Increment.self, New.self)
                try host.waitUntilSent()
                #expect(try host.string("n") == "5" && host.rejected.count == 1, "\(name)")
                try scene.expectEqual(host, b)
            }
        }
    }

    /// Rows of collections that stay in the file are changed by the first run alone, also while others of the host write between each rehearsal
    /// and its commit.
    @Test(arguments: [false, true]) func rowsThatStayInTheFileAreChangedOnce(isBusy: Bool) throws {
        try withScene { scene in
            let b = try scene.host("b")
            let url = try Self.fileWithPending(scene, [], collections: .allExcept(["drafts", "noise"])) { a in
                for number in 0..<300 { try a.make(Both(draft: number % 3 == 0 ? "d" : nil)) }
                try a.make(Both(draft: "d", fails: "taken"))
                #expect(try a.string("d", in: "drafts") == "101")
            }
            for number in 0..<20 { try b.set("\(number)", number == 0 ? "taken" : "of b \(number)") }
            let a = try scene.host(url.deletingPathExtension().lastPathComponent) {
                $0.collections = .allExcept(["drafts", "noise"])
            }
            let isOver = Locked(false)
            let group = DispatchGroup()
            if isBusy {
                DispatchQueue.global().async(group: group) {
                    do {
                        let connection = try a.newConnection()
                        while !isOver.withLock({ $0 }) {
                            try connection.syncReadWrite { try $0.setObject("x", forKey: "k", inCollection: "noise") }
                        }
                    } catch { Issue.record(error) }
                }
            }
            defer {
                isOver.withLock { $0 = true }
                group.wait()
            }
            a.registerMutations(Both.self)
            try a.waitUntilSent()
            #expect(try a.string("n") == "300" && a.string("d", in: "drafts") == "101")
            #expect(try a.rejected.count == 1 && a.string("n", in: "drafts") == nil)
        }
    }

    /// A role that may not write has its mutations wait, one as well as several, and follows the others.
    @Test(arguments: [1, 3]) func mutationsOfARoleThatMayNotWriteWaitWhileItFollows(count: Int) throws {
        try withScene { scene in
            let admin = try scene.administration()
            let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
            try scene.sql().execute("CREATE ROLE \(role) LOGIN", limits: AnswerLimits())
            try admin.grant(role: role, space: scene.space, canWrite: false)
            let b = try scene.host("b")
            try b.set("0", "n")
            let line = try CutLine(scene)
            let a = try scene.host("a", user: role)
            try scene.expectEqual(a)
            try scene.close(a)
            let offline = try scene.host("a", user: role) {
                $0.address = line.address.replacing("user=postgres", with: "user=\(role)")
            }
            try line.cut()
            for _ in 0..<count { try offline.make(Increment(key: "n")) }
            try line.join()
            offline.server?.refresh()
            try waitUntil("it says why they wait") {
                offline.server?.reasonOfWaiting?.contains("may not write") == true
            }
            try b.set("new", "k")
            try waitUntil("a row of others arrives; \(String(describing: offline.server?.state))") {
                try offline.string("k") == "new"
            }
            #expect(offline.server?.state == .live)
            #expect(try offline.pending.count == count && offline.string("n") == "\(count)")
        }
    }

    /// The server is put back to yesterday while mutations are pending: the file says so, gives back what was lost, and sends what is pending,
    /// once.
    @Test func aServerThatWentBackGetsWhatWasLostAndThenWhatIsPending() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            let putBack = try scene.backUpSpace()
            try a.make(Increment(key: "n"))
            try a.make(Put(key: "k", value: "v"))
            try a.waitUntilSent()
            try line.cut()
            try a.make(Increment(key: "n"))
            try putBack()
            try line.join()
            a.server?.refresh()
            try a.waitForRefusal(containing: "1 row that is not there, and the content of 1 row")
            #expect(try a.string("n") == "2" && a.pending.count == 1)
            // Rows as the server had them, without what is pending.
            #expect(try a.restoreSpace(address: scene.server.address(), replacing: true).isComplete)
            a.server?.refresh()
            try a.waitUntilSent()
            try scene.expectEqual(a)
            #expect(try a.string("n") == "2" && a.string("k") == "v")
        }
    }

    /// After a file was given up to its server, what was pending is still sent.
    @Test func aFileThatTakesTheServersStateKeepsWhatIsPending() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("5", "n")
            try line.cut()
            try a.make(Increment(key: "n"))
            try scene.remakeSpace()
            let b = try scene.host("b")
            try b.set("40", "n")
            try line.join()
            a.server?.refresh()
            try a.waitForRefusal(containing: "another one")
            try a.takeServerState(copyingTo: scene.folder.appending(path: "before.sqlite"))
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            #expect(try b.string("n") == "41")
        }
    }

    /// A changed byte of the summary loses no mutation and sends none twice, whatever is made before the next contact.
    @Test(arguments: ["1 2 5 1000", "1 1 3 1000", "1 6 5 0", "1 1 0 0", "1 1 5 268435456", "many"], [false, true])
    func eachIsSentOnceWhateverTheSummarySays(summary: String, makesMore: Bool) throws {
        try withScene { scene in
            let url = try Self.fileWithPending(scene, ["1", "2", "3", "4"]) { try $0.make(Put(key: "k", value: "v")) }
            let plain = try YapDatabase(url: url, options: .forTests)
            plain.registerMutations(Increment.self, Put.self)
            try plain.newConnection().writePastAuthority { transaction throws in
                try transaction.setFileValue(summary, SpaceValue.outbox)
                try transaction.stayInSpace()
            } confirming: { _ in
            }
            if makesMore { for _ in 0..<3 { try plain.make(Increment(key: "n")) } }
            try plain.close()
            let a = try scene.host("a")
            a.registerMutations(Increment.self, Put.self)
            try a.waitUntilSent()
            let b = try scene.host("b")
            try scene.expectEqual(a, b)
            #expect(try a.string("n") == (makesMore ? "7" : "4") && a.string("k") == "v" && a.rejected.isEmpty)
        }
    }

    /// A position that no space reaches is a damaged one: the file is not opened with the server as it is, and the error says what to do. What waits
    /// is sent then.
    @Test(arguments: [Int.max, (1 << 52) + 1, Int.min]) func aPositionThatNoSpaceReaches(number: Int) throws {
        try withScene { scene in
            let b = try scene.host("b")
            let url = try Self.fileWithPending(scene, ["1", "2"])
            let plain = try YapDatabase(url: url, options: .forTests)
            try plain.newConnection().writePastAuthority { transaction throws in
                try transaction.stayInSpace()
                var parts = try #require(SpaceValue.parts(of: transaction.fileValue(SpaceValue.position) ?? ""))
                parts[1] = "\(number)"
                try transaction.setFileValue(parts.joined(separator: "\n"), SpaceValue.position)
            } confirming: { _ in
            }
            try plain.close()
            try b.set("of b", "k")
            let error = #expect(throws: YapDatabaseServerError.self) { try scene.host("a") }
            #expect(error?.code == .badSpace && error?.message.contains("replacesLocalRows") == true)
            let a = try scene.host("a") { $0.replacesLocalRows = true }
            a.registerMutations(Increment.self)
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            #expect(try a.string("n") == "2" && a.string("k") == "of b")
        }
    }

    @Test func aDetachedFileKeepsWhatWasPendingAsItsOwn() throws {
        try withScene { scene in
            let url = try Self.fileWithPending(scene, ["1"])
            let alone = try YapDatabase(url: url, options: .forTests)
            try alone.detachFromServer()
            #expect(try alone.string("n") == "1" && alone.pending.isEmpty)
            try alone.set("x", "n")
            try alone.make(Count(key: "m"))
            #expect(try alone.string("m") == "1" && alone.pending.isEmpty)
            try alone.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// A file with a counter, and as many increments that are pending.
    private static func fileWithPending(
        _ scene: Scene, _ increments: [String], collections: YapDatabaseServerCollections = .all,
        _ makeMore: (YapDatabase) throws -> Void = { _ in }
    ) throws -> URL {
        let line = try CutLine(scene)
        let a = try scene.host("a") { ($0.address, $0.collections) = (line.address, collections) }
        try a.set("0", "n")
        try line.cut()
        for _ in increments { try a.make(Increment(key: "n")) }
        try makeMore(a)
        try scene.close(a)
        return scene.folder.appending(path: "a.sqlite")
    }

    private static func copy(_ url: URL, _ name: String, _ scene: Scene) throws -> String {
        try FileManager.default.copyItem(at: url, to: scene.folder.appending(path: "\(name).sqlite"))
        return name
    }
}

/// Sets a row that must not be there.
private struct New: YapMutation {
    static let mutationName = "new"
    var key: String

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        guard try transaction.object(forKey: key, inCollection: "c") == nil else {
            throw Deed.Impossible(description: "\(key) is taken.")
        }
        try transaction.setObject("new", forKey: key, inCollection: "c")
    }
}

/// Counts in the space, and in a collection that stays in the file.
private struct Both: YapMutation {
    static let mutationName = "both"
    var draft: String?
    /// Throws if there is this row.
    var fails: String?

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        func count(_ key: String, _ collection: String) throws {
            let count = Int(try transaction.object(forKey: key, inCollection: collection) as? String ?? "0") ?? 0
            try transaction.setObject("\(count + 1)", forKey: key, inCollection: collection)
        }
        if let draft { try count(draft, "drafts") }
        if let fails, try transaction.object(forKey: fails, inCollection: "c") != nil {
            throw Deed.Impossible(description: "\(fails) is there.")
        }
        if fails == nil { try count("n", "c") }
    }
}

/// An ``Increment`` of a counter that need not be there.
private struct Count: YapMutation {
    static let mutationName = "increment2"
    var key: String

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let count = Int(try transaction.object(forKey: key, inCollection: "c") as? String ?? "0") ?? 0
        try transaction.setObject("\(count + 1)", forKey: key, inCollection: "c")
    }
}
