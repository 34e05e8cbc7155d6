import DatabaseTesting
import Foundation
import ListChanges
import SeededRandom
import Synchronization
import TestSupport
import Testing
import YapDatabase

/// Two programs use one file, each with its own declaration of a list of the same name, which each registers, takes over and leaves at
/// any time. Neither sees rows in the other one's order; a write is in the file if it was acknowledged, and not if it was refused.
@Suite(.serialized) struct TwoDeclarationsAttackTests {
    private static let folder = ProcessFolder("declarations")

    @Test func neitherProgramSeesTheOthersListAndNothingIsLost() async throws {
        try await Attack.roundsOfProcesses(round)
    }

    private func round(_ seed: UInt64) async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        try Data("\(seed)".utf8).write(to: folder.appending(path: "seed"))
        let isDone = Atomic(false)
        async let own = Self.runAsOwner(folder, seed, until: isDone)
        await #expect(processExitsWith: .success, "seed \(seed)") { try Self.runElsewhere() }
        isDone.store(true, ordering: .releasing)
        let stored = try await own
        let others = try Ledger(folder.appending(path: "others")).rows
        try expect(stored.merging(others) { first, _ in first }, in: folder.appending(path: "t.sqlite"), seed)
    }

    private func expect(_ wanted: [String: String], in url: URL, _ seed: UInt64) throws {
        #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
        let database = try YapDatabase(url: url, options: .forAttacks)
        let rows = try database.newConnection().read { transaction in
            var rows: [String: String] = [:]
            for key in try transaction.allKeys(inCollection: nil) {
                rows[key] = try transaction.object(forKey: key) as? String
            }
            return rows
        }
        #expect(rows == wanted, "seed \(seed)")
        try database.close()
    }

    private static func runAsOwner(_ folder: URL, _ seed: UInt64, until isDone: borrowing Atomic<Bool>) throws
        -> [String: String]
    {
        var program = try Program(folder, name: "own", seed: seed)
        while !isDone.load(ordering: .acquiring) { try program.step() }
        return try program.end()
    }

    private static func runElsewhere() throws {
        let folder = Self.folder.ofParent
        let seed = try String(contentsOf: folder.appending(path: "seed"), encoding: .utf8)
        do {
            var program = try Program(folder, name: "others", seed: ~(UInt64(seed) ?? 0))
            for _ in 0..<60 { try program.step() }
            _ = try program.end()
        } catch {
            // A thrown error ends the process without a word.
            print("The other program: \(error)")
            throw error
        }
    }
}

/// The rows that a program was told are stored.
private struct Ledger {
    private let url: URL
    var rows: [String: String]

    init(_ url: URL) throws {
        self.url = url
        rows = (try? JSONDecoder().decode([String: String].self, from: Data(contentsOf: url))) ?? [:]
    }

    func save() throws { try JSONEncoder().encode(rows).write(to: url) }
}

/// One of the two programs.
private struct Program {
    private let url: URL
    private let name: String
    private let isOwner: Bool
    private var random: SplitMix64
    private var database: YapDatabase
    private var follower: ListFollower?
    private var ledger: Ledger

    init(_ folder: URL, name: String, seed: UInt64) throws {
        url = folder.appending(path: "t.sqlite")
        self.name = name
        isOwner = name == "own"
        random = SplitMix64(seed: seed)
        ledger = try Ledger(folder.appending(path: name))
        database = try YapDatabase(url: url, options: .forAttacks)
    }

    mutating func step() throws {
        let choice = random.below(10)
        do {
            switch choice {
            case 0: try register()
            case 1: try database.unregisterExtension(withName: "items")
            case 2: try reopen()
            case 3, 4: try follow()
            case 5: try compare()
            default: try write()
            }
        } catch let error as YapDatabaseError where [.badExtension, .locked].contains(error.code) {
            // What a displaced program is told, and one that waited for the other.
            if choice == 3 || choice == 4 { follower = nil }
        }
    }

    mutating func end() throws -> [String: String] {
        follower = nil
        try database.close()
        try ledger.save()
        return ledger.rows
    }

    /// A list in the one or the other order, or something else under the same name.
    private mutating func register() throws {
        let isReplacing = random.below(2) == 0
        guard isOwner || random.below(4) > 0 else {
            let setup = YapDatabaseSecondaryIndexSetup()
            setup.addColumn("text", with: .text)
            let index = YapDatabaseSecondaryIndex(
                setup: setup,
                handler: .withObjectBlock { _, columns, _, _, object in columns["text"] = object as? String },
                versionTag: "1")
            return try database.register(index, withName: "items", replacing: isReplacing)
        }
        let ascends = isOwner
        let view = YapDatabaseAutoView(
            grouping: .withKeyBlock { _, _, _ in "g" },
            sorting: .withKeyBlock { _, _, _, one, _, other in
                one == other ? .orderedSame : (one < other) == ascends ? .orderedAscending : .orderedDescending
            }, versionTag: name)
        try database.register(view, withName: "items", replacing: isReplacing)
    }

    private mutating func reopen() throws {
        follower = nil
        try database.close()
        // While the other one keeps the file, this one has none: it tries again until it has.
        while true {
            do {
                database = try YapDatabase(url: url, options: .forAttacks)
                return
            } catch let error as YapDatabaseError where error.code == .locked {}
        }
    }

    private mutating func write() throws {
        let (key, isRemoval) = ("\(name) \(random.below(20))", random.below(4) == 0)
        let value = "\(random.next())"
        try database.newConnection().readWrite { transaction in
            if isRemoval {
                try transaction.removeObject(forKey: key)
            } else {
                try transaction.setObject(value, forKey: key)
            }
        }
        ledger.rows[key] = isRemoval ? nil : value
    }

    private mutating func follow() throws {
        if let follower {
            try follower.advance()
        } else {
            follower = try ListFollower(database, view: "items", groups: ["g"])
        }
        guard let follower else { return }
        let shown = follower.rows.sections.flatMap(\.rows).map(\.key)
        #expect(shown == sorted(shown), "\(name) shows the order of the other program")
    }

    private func compare() throws {
        try database.newConnection().read { transaction in
            guard let view = transaction.ext("items") as? YapDatabaseViewTransaction else { return }
            let keys = try (0..<view.numberOfItems(inGroup: "g")).compactMap {
                try view.rowKey(at: $0, inGroup: "g")?.key
            }
            #expect(keys == sorted(try transaction.allKeys(inCollection: nil)), "\(name)")
        }
    }

    private func sorted(_ keys: [String]) -> [String] { isOwner ? keys.sorted() : keys.sorted(by: >) }
}
