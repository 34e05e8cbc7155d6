import DatabaseTesting
import Foundation
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Three roles write at random what they may and what they may not, beside a model: each host has the rows that its role may read, and its
/// list follows them by exact change-sets.
@Suite(.needsPostgreSQL) struct RulePropertyTests {
    private static let names = ["alice", "bob", "mallory"]
    private static let all = YapList("all", of: notes, sortedBy: .ascending(\.id))

    @Test func eachHostHasWhatItsRoleMayRead() throws {
        for seed in 0..<UInt64(Effort.cases(40)) { try withScene { try Self.play(seed: seed, Parties($0)) } }
    }

    private static func play(seed: UInt64, _ parties: Parties) throws {
        var random = SplitMix64(seed: seed)
        var model: [String: Note] = [:]
        var removed: Set<String> = []
        let lists = try names.map { name in
            let host = try #require(parties.hosts[name])
            try host.register(all)
            return try ListFollower(host, view: all.name, groups: [YapList<Note, String, Never>.onlyGroup])
        }
        for step in 0..<30 {
            let (name, id) = (random.pick(names), "\(random.below(8))")
            let context: Comment = "seed \(seed), step \(step)"
            var wanted = model[id]
            let mayRead = wanted.map { reads(name, $0) } ?? true
            var isAllowed = wanted?.author == name
            switch random.below(5) {
            case 0 where wanted == nil && !removed.contains(id), 1 where wanted == nil && !removed.contains(id):
                wanted = Note(
                    id: id, author: random.pick(names),
                    members: random.pick(["#all", "alice&bob", "bob&mallory", "mallory"]))
                isAllowed = wanted?.author == name && reads(name, wanted!)
            case 2:
                let likes = Set((wanted?.likes?["+"] ?? []) + [name]).sorted()
                wanted?.likes = ["+": likes]
                isAllowed = mayRead
            case 3: wanted = nil
            default: wanted?.text = "\(step)"
            }
            // What a role cannot read is not in its file, so a program of the library has nothing to change.
            guard wanted != model[id], mayRead else { continue }
            // A host that has not got the row yet would have nothing to remove, which is no refusal.
            try parties.wait(for: name)
            let isStored = try write(wanted, id, by: name, parties)
            #expect(isStored == isAllowed, context)
            if isStored {
                if wanted == nil { removed.insert(id) }
                model[id] = wanted
            }
            guard random.below(3) == 0 else { continue }
            for (name, list) in zip(names, lists) {
                #expect(try parties.seen(name) == model.filter { reads(name, $0.value) }, context)
                try list.advance(context)
            }
        }
        for (name, list) in zip(names, lists) {
            #expect(try parties.seen(name) == model.filter { reads(name, $0.value) }, "seed \(seed)")
            try list.advance("seed \(seed)")
        }
    }

    private static func reads(_ name: String, _ note: Note) -> Bool {
        note.members.hasPrefix("#") || note.members.split(separator: "&").contains { $0 == name }
    }

    /// Returns whether the server took it.
    private static func write(_ note: Note?, _ id: String, by name: String, _ parties: Parties) throws -> Bool {
        do {
            try parties.write(name) { transaction throws in
                if let note { try transaction[notes].save(note) } else { try transaction[notes].remove(id) }
            }
            return true
        } catch let error as YapDatabaseServerError where error.code == .refusedByRule {
            return false
        }
    }
}
