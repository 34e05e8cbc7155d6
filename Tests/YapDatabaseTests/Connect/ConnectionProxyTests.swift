import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

@Suite struct ConnectionProxyTests {
    /// Waits until everything that was written so far is committed.
    private func flush(_ proxy: YapDatabaseConnectionProxy) async {
        await withCheckedContinuation { done in
            proxy.readWriteConnection.flushTransactions { done.resume() }
        }
    }

    /// Keeps the proxy from committing until the semaphore is signalled.
    private func hold(_ proxy: YapDatabaseConnectionProxy) -> DispatchSemaphore {
        let hold = DispatchSemaphore(value: 0)
        proxy.readWriteConnection.asyncRead { _ in hold.wait() }
        return hold
    }

    @Test func whatIsWrittenIsReadBeforeItIsCommittedAndAfter() async throws {
        try await withTemporaryDatabase { database in
            let proxy = try YapDatabaseConnectionProxy(database: database)
            try await database.newConnection().write { transaction in
                for key in ["a", "b", "c", "d"] { try transaction.setObject(key, forKey: key, withMetadata: "m") }
            }
            func rows() throws -> [String] {
                try ["a", "b", "c", "d", "e", "z"].map { key in
                    guard let row = try proxy.row(forKey: key) else { return "-" }
                    #expect(try proxy.object(forKey: key) as? String == row.object as? String)
                    #expect(try proxy.metadata(forKey: key) as? String == row.metadata as? String)
                    return "\(row.object)\(row.metadata ?? "")"
                }
            }
            let hold = hold(proxy)
            proxy.setObject("A", forKey: "a")
            proxy.removeObjects(forKeys: ["b", "absent"])
            proxy.replace("C", forKey: "c")
            proxy.replaceMetadata(nil, forKey: "d")
            proxy.setObject("E", forKey: "e", withMetadata: "n")
            proxy.replace("Z", forKey: "z")
            let expected = ["A", "-", "Cm", "d", "En", "-"]
            #expect(try rows() == expected)
            #expect(database.snapshot == 1)
            hold.signal()
            await flush(proxy)
            #expect(try rows() == expected)
            // All of it in one commit.
            #expect(database.snapshot == 2)
        }
    }

    @Test func aResetShowsTheFileAgain() async throws {
        try await withTemporaryDatabase { database in
            let proxy = try YapDatabaseConnectionProxy(database: database)
            proxy.setObject("file", forKey: "a")
            proxy.setObject("file", forKey: "b")
            await flush(proxy)
            let hold = hold(proxy)
            for key in ["a", "b", "c"] { proxy.setObject("new", forKey: key) }
            proxy.resetObject(forKey: "a")
            #expect(try proxy.object(forKey: "a") as? String == "file")
            #expect(try proxy.object(forKey: "b") as? String == "new")
            proxy.reset()
            #expect(try proxy.object(forKey: "b") as? String == "file")
            #expect(try proxy.object(forKey: "c") == nil)
            hold.signal()
            await flush(proxy)
            #expect(try proxy.object(forKey: "b") as? String == "file")
        }
    }

    @Test func aFilterSparesTheSearchInTheFile() async throws {
        try await withTemporaryDatabase { database in
            try await database.newConnection().write { try $0.setObject(1, forKey: "k", inCollection: "hidden") }
            let proxy = try YapDatabaseConnectionProxy(database: database)
            proxy.fetchedCollectionsFilter = YapWhitelistBlacklist(blacklist: ["hidden"])
            #expect(try proxy.object(forKey: "k", inCollection: "hidden") == nil)
            proxy.fetchedCollectionsFilter = nil
            #expect(try proxy.object(forKey: "k", inCollection: "hidden") as? Int == 1)
        }
    }

    @Test func aValueThatCannotBeEncodedIsToldAndTheOthersAreCommitted() async throws {
        struct Unknown {}
        let errors = Locked<[YapDatabaseError.Code?]>([])
        var options = YapDatabaseOptions.forTests
        options.asyncErrorHandler = { error in errors.withLock { $0.append((error as? YapDatabaseError)?.code) } }
        try await withTemporaryDatabase(options: options) { database in
            let proxy = try YapDatabaseConnectionProxy(database: database)
            proxy.setObject("good", forKey: "a")
            proxy.setObject(Unknown(), forKey: "b")
            proxy.setObject("good", forKey: "c")
            await flush(proxy)
            #expect(errors.withLock { $0 } == [.encodingFailed])
            #expect(try ["a", "b", "c"].map { try proxy.object(forKey: $0) as? String } == ["good", nil, "good"])
        }
    }

    @Test(arguments: Effort.some([1, 2] as [UInt64])) func randomWritesEndInTheStateOfAModel(seed: UInt64) async throws
    {
        try await withTemporaryDatabase { database in
            var random = SplitMix64(seed: seed)
            var model: [String: (Int, Int?)] = [:]
            let proxy = try YapDatabaseConnectionProxy(database: database)
            for number in 0..<2_000 {
                let key = "k\(Int.random(in: 0..<6, using: &random))"
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    proxy.setObject(number, forKey: key, withMetadata: number)
                    model[key] = (number, number)
                case 1:
                    proxy.setObject(number, forKey: key)
                    model[key] = (number, nil)
                case 2:
                    proxy.replace(number, forKey: key)
                    model[key]?.0 = number
                case 3:
                    proxy.replaceMetadata(number, forKey: key)
                    model[key]?.1 = number
                default:
                    proxy.removeObject(forKey: key)
                    model[key] = nil
                }
                let row = try proxy.row(forKey: key)
                #expect(row?.object as? Int == model[key]?.0 && row?.metadata as? Int == model[key]?.1, "seed \(seed)")
                if number % 100 == 0 { await flush(proxy) }
            }
            await flush(proxy)
            let stored = try await database.newConnection().read { transaction in
                try (0..<6).map { try transaction.row(forKey: "k\($0)")?.object as? Int }
            }
            #expect(stored == (0..<6).map { model["k\($0)"]?.0 }, "seed \(seed)")
        }
    }
}
