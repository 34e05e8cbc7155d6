import DatabaseTesting
import Foundation
import SQLiteBridge
import SeededRandom
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Two programs use one file. Each declares lists over related rows, and lists over these, in one of two ways, or something else under their
/// names; it registers, replaces and leaves them at any time, and may be killed.
///
/// What a program is shown follows from the rows by its own declarations, or it is told why it is shown nothing. Writes go on. Rows that were
/// acknowledged are there. If all is unregistered, nothing is left.
@Suite(.serialized) struct RelatedDeclarationsAttackTests {
    private static let folder = ProcessFolder("related-declarations")

    @Test func whateverOthersDeclareWhatIsShownFollowsFromTheRows() async throws {
        try await Attack.roundsOfProcesses(round)
    }

    private func round(_ seed: UInt64) async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        try Data("\(seed)".utf8).write(to: folder.appending(path: "seed"))
        let isDone = Atomic(false)
        async let own = Self.runUntil(isDone, folder, seed)
        await #expect(processExitsWith: seed % 2 == 0 ? .success : .signal(SIGKILL), "seed \(seed)") {
            try Self.runElsewhere()
        }
        isDone.store(true, ordering: .releasing)
        let words = (try? String(contentsOf: folder.appending(path: "words"), encoding: .utf8)) ?? ""
        if !words.isEmpty { print("The other program, seed \(seed): \(words)") }
        let acknowledged = try await own
        try expect(acknowledged, in: folder, seed)
    }

    private func expect(_ own: [Int: RelatedDeclarations.Chore], in folder: URL, _ seed: UInt64) throws {
        let url = folder.appending(path: "t.sqlite")
        #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
        let database = try YapDatabase(url: url, options: .forAttacks)
        let rows = try database.newConnection().syncRead { try $0[RelatedDeclarations.chores].values() }
        let stored = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        #expect(stored.filter { $0.key % 2 == 0 } == own, "seed \(seed)")
        let others = stored.filter { $0.key % 2 == 1 }
        let ledgers = try ["others", "others next"].map { try Ledger(folder.appending(path: $0)).rows }
        #expect(ledgers.contains(others), "seed \(seed)")

        var declared = RelatedDeclarations()
        for item in RelatedDeclarations.Item.allCases { declared.ways[item] = seed & 4 == 0 }
        try database.register(RelatedDeclarations.Item.allCases.map(declared.declaration), replacing: true)
        try database.newConnection().syncRead { transaction throws in
            for item in RelatedDeclarations.Item.allCases {
                #expect(try declared.difference(item, in: transaction) == nil, "seed \(seed)")
            }
        }
        for item in RelatedDeclarations.Item.allCases.reversed() { try database.unregister(declared.declaration(item)) }
        for item in RelatedDeclarations.Item.allCases { try database.unregister(RelatedDeclarations.stranger(item)) }
        try database.close()
        #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
        try expectNothingLeft(in: url, seed)
    }

    /// No table, row or note of anything that was registered.
    private func expectNothingLeft(in url: URL, _ seed: UInt64) throws {
        let handle = try SQLiteHandle(path: url.path, mode: .readOnly, busyTimeout: 1_000)
        func texts(_ sql: String) throws -> [String] {
            let statement = try handle.newStatement(sql)
            var texts: [String] = []
            while try statement.step() { texts.append(statement.text(at: 0) ?? "") }
            return texts
        }
        let tables = try texts("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
        let notes = try texts("SELECT DISTINCT extension FROM yap2")
        let collections = try texts(
            "SELECT collection FROM database2 UNION SELECT collection FROM yap_derived ORDER BY 1")
        #expect(
            tables == ["database2", "true_primary_key", "yap2", "yap_derived", "yap_derived_key"], "seed \(seed)")
        #expect(notes == [""], "seed \(seed)")
        #expect(Set(collections).isSubset(of: ["chores", "people"]), "seed \(seed)")
    }

    private static func runUntil(_ isDone: borrowing Atomic<Bool>, _ folder: URL, _ seed: UInt64) throws
        -> [Int: RelatedDeclarations.Chore]
    {
        var program = try Program(folder, name: "own", seed: seed)
        while !isDone.load(ordering: .acquiring) { try program.step() }
        return try program.end()
    }

    private static func runElsewhere() throws {
        let folder = Self.folder.ofParent
        let seed = UInt64(try String(contentsOf: folder.appending(path: "seed"), encoding: .utf8)) ?? 0
        let words = open(folder.appending(path: "words").path, O_CREAT | O_WRONLY, 0o600)
        dup2(words, STDERR_FILENO)
        let dies = seed % 2 == 1
        if dies {
            Thread.detachNewThread {
                usleep(100_000 + UInt32(truncatingIfNeeded: seed &* 7919 % 1_000) * 1_000)
                kill(getpid(), SIGKILL)
            }
        }
        do {
            var program = try Program(folder, name: "others", seed: ~seed)
            for _ in 0..<(dies ? .max : 60) { try program.step() }
            _ = try program.end()
        } catch {
            // A thrown error ends the process without a word.
            FileHandle.standardError.write(Data("\(error)".utf8))
            throw error
        }
    }
}

/// The rows that a program was told are stored.
private struct Ledger {
    private let url: URL
    var rows: [Int: RelatedDeclarations.Chore]

    init(_ url: URL) throws {
        self.url = url
        rows = [:]
        if let bytes = try? Data(contentsOf: url) {
            rows = try JSONDecoder().decode([Int: RelatedDeclarations.Chore].self, from: bytes)
        }
    }

    func save(_ rows: [Int: RelatedDeclarations.Chore]) throws {
        try JSONEncoder().encode(rows).write(to: url, options: .atomic)
    }
}

/// An error that ends a program, and its last steps.
private struct Failure: Error, CustomStringConvertible { let description: String }

/// One of the two programs. Its chores have even numbers, or odd ones.
private struct Program {
    private typealias Item = RelatedDeclarations.Item

    private let url: URL
    private let name: String
    private let isOwner: Bool
    private let seed: UInt64
    private var random: SplitMix64
    private var database: YapDatabase
    private var declared = RelatedDeclarations()
    private var follower: ListFollower?
    private var ledger: Ledger
    private let next: Ledger
    private var steps: [String] = []

    init(_ folder: URL, name: String, seed: UInt64) throws {
        url = folder.appending(path: "t.sqlite")
        self.name = name
        self.seed = seed
        isOwner = name == "own"
        random = SplitMix64(seed: seed)
        ledger = try Ledger(folder.appending(path: name))
        next = try Ledger(folder.appending(path: "\(name) next"))
        database = try YapDatabase(url: url, options: .forAttacks)
    }

    mutating func step() throws {
        let choice = random.below(12)
        do {
            switch choice {
            case 0, 1: try register()
            case 2: try unregister()
            case 3: try reopen()
            case 4, 5: try follow()
            case 6, 7: try compare()
            default: try write()
            }
        } catch let error as YapDatabaseError where error.code == .locked {
            note("locked")
            // It waited for the other one.
        } catch let error as YapDatabaseError where error.code == .badExtension && choice < 6 {
            // What a displaced program is told.
            note("refused: \(error.message)")
            if choice >= 4 { follower = nil }
        } catch {
            throw Failure(description: "\(name), seed \(seed): \(error)\n\(steps.suffix(60).joined(separator: "\n"))")
        }
    }

    private mutating func note(_ step: String) { steps.append(step) }

    mutating func end() throws -> [Int: RelatedDeclarations.Chore] {
        follower = nil
        try database.close()
        return ledger.rows
    }

    private mutating func register() throws {
        let isReplacing = random.percent(50)
        if random.percent(15) {
            let item = random.pick(Item.allCases)
            note("registers a stranger \(item)")
            try database.register(RelatedDeclarations.stranger(item), replacing: isReplacing)
            declared.ways[item] = nil
            return
        }
        var (after, batch) = (declared, [Item]())
        let chosen = Set((0..<random.below(4)).map { _ in random.pick(Item.allCases) })
        for item in Item.allCases where chosen.contains(item) {
            var missing: [Item] = []
            var source = item.source
            while let needed = source, after.ways[needed] == nil, !batch.contains(needed) {
                missing.insert(needed, at: 0)
                source = needed.source
            }
            for item in missing + [item] {
                after.ways[item] = random.percent(50)
                batch.append(item)
            }
        }
        note("registers \(batch.map { "\($0) \(after.ways[$0]!)" }), replacing \(isReplacing)")
        try database.register(batch.map(after.declaration), replacing: isReplacing)
        declared = after
    }

    private mutating func unregister() throws {
        let item = random.pick(Item.allCases)
        note("unregisters \(item)")
        try database.unregister(declared.declaration(item))
        declared.ways[item] = nil
    }

    private mutating func reopen() throws {
        note("opens again")
        follower = nil
        try database.close()
        declared.ways = [:]
        // While the other one keeps the file, this one has none: it tries again until it has.
        while true {
            do {
                database = try YapDatabase(url: url, options: .forAttacks)
                return
            } catch let error as YapDatabaseError where error.code == .locked {}
        }
    }

    private mutating func write() throws {
        let id = random.below(15) * 2 + (isOwner ? 0 : 1)
        let isRemoval = random.percent(25)
        let chore = RelatedDeclarations.Chore(
            id: id, title: "word\(random.below(3)) of \(id)", person: random.below(5), helper: random.below(4),
            points: random.below(20), tags: RelatedDeclarations.tagNames.filter { _ in random.percent(40) })
        let person = random.below(10)
        var rows = ledger.rows
        rows[id] = isRemoval ? nil : chore
        if !isOwner { try next.save(rows) }
        note("writes \(id), person \(person)")
        try database.newConnection().readWrite { transaction throws in
            if isRemoval {
                try transaction[RelatedDeclarations.chores].remove(id)
            } else {
                try transaction[RelatedDeclarations.chores].save(chore)
            }
            if person < 5 {
                let team = RelatedDeclarations.teamNames[random.below(3)]
                try transaction[RelatedDeclarations.people].save(
                    .init(id: person, name: "name \(random.below(3))", team: team))
            } else if person == 5 {
                try transaction[RelatedDeclarations.people].remove(random.below(5))
            }
        }
        ledger.rows = rows
        if !isOwner { try ledger.save(rows) }
    }

    private mutating func follow() throws {
        note("follows")
        if let follower {
            try follower.advance("\(name), seed \(seed)")
        } else {
            follower = try ListFollower(database, view: "board", groups: RelatedDeclarations.boardGroups)
        }
    }

    /// In a write: what another program writes that does not know derived rows is derived by the next write of one that does.
    private mutating func compare() throws {
        note("compares \(declared)")
        try database.newConnection().readWrite { transaction throws in
            for item in Item.allCases where declared.hasSources(of: item) {
                do {
                    guard let difference = try declared.difference(item, in: transaction) else { continue }
                    Issue.record("\(name), seed \(seed): \(difference)\n\(steps.suffix(60).joined(separator: "\n"))")
                } catch let error as YapDatabaseError where error.code == .badExtension {
                    // It is another program's.
                }
            }
        }
    }
}
