import FileEngine
import Foundation
import ListChanges
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// Another program changes rows and writes commit records that lie: their marks are right, and what they say is nothing, half of it,
/// something else, or no record at all. Each call ends, with its result or a typed error; mappings have as many rows as the view; what
/// was acknowledged is stored; and a list that is filled again has everything.
@Suite struct LyingRecordsAttackTests {
    @Test func aProgramGoesOnBesideRecordsThatLie() async throws {
        try await Attack.rounds("lying records") { seed in
            try withTemporaryFolder { folder in
                do {
                    var scene = try LyingRecordsScene(folder.appending(path: "t.sqlite"), seed)
                    try scene.run()
                } catch {
                    Issue.record("seed \(seed): \(error)")
                }
            }
        }
    }
}

private struct LyingRecordsScene {
    private let url: URL
    private let seed: UInt64
    private var random: SplitMix64
    private let database: YapDatabase
    private let coordinator: YapDatabaseViewCoordinator
    private let mappings = YapDatabaseViewMappings(groups: ["a", "b", "o"], view: "items")
    private let liar: Store
    private var isFollowing = false
    /// What this program was told is stored, in a collection of its own.
    private var own: [String: String] = [:]

    init(_ url: URL, _ seed: UInt64) throws {
        (self.url, self.seed) = (url, seed)
        random = SplitMix64(seed: seed)
        database = try YapDatabase(url: url, options: .forAttacks)
        try database.register(itemsView(), withName: "items")
        try database.newConnection().readWrite { transaction in
            for number in 0..<10 {
                try transaction.setObject("v", forKey: "k\(number)", inCollection: number % 2 == 0 ? "a" : "b")
            }
        }
        coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
        liar = try Store(path: url.path, mode: .readWrite, busyTimeout: 2_000)
    }

    mutating func run() throws {
        for _ in 0..<25 {
            try lie()
            try use()
        }
        try database.close()
        try expectRight()
    }

    private mutating func lie() throws {
        for _ in 0...random.below(3) {
            let before = try liar.beginWrite()
            do {
                var rows: [RowKey] = []
                for _ in 0..<random.below(3) { rows.append(try change()) }
                try liar.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
                if let content = content(rows) {
                    try liar.append(CommitRecord(before: before, after: before.next, content: content))
                }
                try liar.commit()
                liar.didCommit(before.next)
            } catch {
                try liar.rollback()
                throw error
            }
        }
    }

    private mutating func change() throws -> RowKey {
        let row = RowKey(collection: random.pick(["a", "b"]), key: "k\(random.below(14))")
        let name = "collection = '\(row.collection)' AND key = '\(row.key)'"
        switch random.below(3) {
        case 0: try liar.execute("DELETE FROM database2 WHERE \(name)")
        case 1: try liar.execute("UPDATE database2 SET data = randomblob(3) WHERE \(name)")
        default:
            try liar.execute(
                "INSERT OR REPLACE INTO database2 (collection, key, data) VALUES ('\(row.collection)', '\(row.key)', x'00')"
            )
        }
        return row
    }

    /// Nil for no record.
    private mutating func content(_ rows: [RowKey]) -> [UInt8]? {
        var changes = RowChanges()
        for row in rows where random.below(2) == 0 { changes.insert(.object, for: row) }
        var operations: [RawOperation] = []
        for _ in 0..<random.below(4) {
            let (group, index) = (random.pick(["a", "b", "o", "c"]), random.below(8))
            let key = random.pick(rows + [RowKey(collection: group, key: "k\(random.below(14))")])
            operations.append(
                random.pick([
                    .insertRow(group: group, index: index, key: key), .deleteRow(group: group, index: index, key: key),
                    .updateRow(group: group, index: index, key: key, flags: .object), .resetSection(group: group),
                    .insertSection(group: group), .deleteSection(group: group),
                ]))
        }
        let log = ViewLog(operations: OperationLog(operations)).bytes ?? []
        var bytes = CommitContent(
            edits: RowEdits(changes), logs: random.below(2) == 0 ? [:] : ["items": log],
            isIncomplete: random.below(8) == 0
        ).bytes
        switch random.below(6) {
        case 0: return nil
        case 1 where !bytes.isEmpty: bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
        case 2: bytes = Array(bytes.prefix(random.below(bytes.count + 1)))
        default: break
        }
        return bytes
    }

    /// Reads, follows and writes. A typed error is a valid answer.
    private mutating func use() throws {
        do { try follow() } catch is YapDatabaseError {
            if isFollowing { coordinator.unfollow(mappings) }
            isFollowing = false
        }
        let (key, value) = ("o\(random.below(6))", "\(random.next())")
        do {
            try database.newConnection().readWrite { try $0.setObject(value, forKey: key, inCollection: "o") }
            own[key] = value
        } catch is YapDatabaseError {}
        do {
            try database.newConnection().read { transaction in
                guard let view = transaction.ext("items") as? YapDatabaseViewTransaction else { return }
                for group in view.allGroups() { try view.iterateKeys(inGroup: group) { _, _, _, _ in } }
            }
        } catch is YapDatabaseError {}
    }

    private mutating func follow() throws {
        if isFollowing { _ = try coordinator.advance() } else { try coordinator.follow(mappings) }
        isFollowing = true
        let mappings = mappings
        try coordinator.connection.read { transaction in
            guard let view = transaction.ext("items") as? YapDatabaseViewTransaction else { return }
            for group in ["a", "b", "o"] {
                #expect(mappings.numberOfItems(inGroup: group) == view.numberOfItems(inGroup: group), "seed \(seed)")
            }
        }
    }

    private func expectRight() throws {
        let database = try YapDatabase(url: url, options: .forAttacks)
        // The other program has not placed its rows: another tag has them placed again.
        try database.register(itemsView(tag: "2"), withName: "items")
        try database.newConnection().read { transaction in
            for (key, value) in own {
                #expect(try transaction.object(forKey: key, inCollection: "o") as? String == value, "seed \(seed)")
            }
            let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
            for collection in ["a", "b", "o"] {
                let keys = try (0..<view.numberOfItems(inGroup: collection)).map {
                    try view.rowKey(at: $0, inGroup: collection)?.key
                }
                #expect(keys == (try transaction.allKeys(inCollection: collection)), "seed \(seed), \(collection)")
            }
        }
        try database.close()
        #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
    }
}
