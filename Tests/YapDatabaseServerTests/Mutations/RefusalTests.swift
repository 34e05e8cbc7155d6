import FileEngine
import Foundation
import PostgreSQLBridge
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Mutations that the server refuses, among others that may depend on them.
@Suite(.needsPostgreSQL) struct RefusalTests {
    /// Each mutation counts on the state of the accepted ones before it, as if they had been sent one by one: rows, rejections and reasons are
    /// those of a model that knows what the server refuses.
    @Test(arguments: 0..<UInt64(Effort.cases(30)))
    func refusedMutationsAreThoseThatOneByOneWouldBeRefused(seed: UInt64) throws {
        try withScene { scene in
            var random = SplitMix64(seed: seed)
            let (host, line) = try Self.host(scene)
            var made: [(id: UUID, step: Step)] = []
            for number in 0..<random.below(60) + 5 {
                let step = Step(
                    kind: random.pick(Step.Kind.allCases), number: number, key: "k\(random.below(5))")
                do { made.append((try host.make(step), step)) } catch is Deed.Impossible {}
            }
            let before = try scene.truth().rows
            try line.join()
            try host.waitUntilSent()
            try scene.expectEqual(host)

            var model = Model()
            let reasons = made.map { model.refusal(of: $0.step) }
            let rejected = Dictionary(uniqueKeysWithValues: try host.rejected.map { ($0.id, $0.reason ?? "") })
            for ((id, step), reason) in zip(made, reasons) {
                #expect(
                    rejected[id].map { found in reason.map(found.contains) ?? false } ?? (reason == nil),
                    "seed \(seed): \(step) \(reason ?? "-"), not \(rejected[id] ?? "-")")
            }
            #expect(before.isEmpty)
            #expect(try Set(scene.truth().rows.keys) == Set(model.rows.keys), "seed \(seed)")
            try host.newConnection().read { transaction throws in
                for (key, value) in model.rows {
                    #expect(try Step.value(key, transaction) == value, "seed \(seed): \(key)")
                }
            }
        }
    }

    /// A rebase is a commit of the file, as is a batch that the server has. Each refused mutation cost one, with all others applied again.
    @Test func refusedMutationsCostFarFewerRebasesThanThereAre() throws {
        try withScene { scene in
            let (host, line) = try Self.host(scene)
            for number in 0..<1_000 {
                let kind: Step.Kind =
                    switch number % 20 {
                    case 3: .forbidden
                    case 7: .countForbidden
                    case 11: .bad
                    case 15: .long
                    default: number.isMultiple(of: 2) ? .count : .put
                    }
                try host.make(Step(kind: kind, number: number, key: "k\(number)"))
            }
            let before = host.snapshot
            try line.join()
            try host.waitUntilSent()
            try scene.expectEqual(host)
            #expect(
                try host.rejected.map(\.number)
                    == (0..<1_000).filter { [3, 7, 11, 15].contains($0 % 20) }.map { $0 + 1 })
            #expect(host.snapshot - before < 60)
        }
    }

    /// A host whose role may not write in the collection `m`, nor notes of others, and which is cut off.
    private static func host(_ scene: Scene) throws -> (YapDatabase, CutLine) {
        let (admin, role) = (try scene.administration(), "ada-\(UUID().uuidString.lowercased())")
        try scene.sql().execute("CREATE ROLE \"\(role)\" LOGIN", limits: AnswerLimits())
        try admin.grant(role: role, space: scene.space, canWrite: false)
        for collection in ["c", notes.name] {
            try admin.grant(role: role, space: scene.space, collection: collection, canWrite: true)
        }
        try admin.setName("ada", ofRole: role, space: scene.space)
        #expect(try admin.setRules([Parties.rule], space: scene.space) == 0)
        let line = try CutLine(scene)
        let host = try scene.host("a", user: role) {
            $0.address = line.address.replacingOccurrences(of: "user=postgres", with: "user=\(role)")
        }
        try host.waitFor(.live)
        try line.cut()
        return (host, line)
    }
}

/// A change that may depend on others and that the server may refuse.
private struct Step: YapMutation {
    enum Kind: String, Codable, CaseIterable {
        case put, count, log
        /// In a collection where the role has no right.
        case forbidden, countForbidden
        /// A note of another author, which a rule refuses, and a key that is too long.
        case bad, long
        /// These depend on rows that the server refuses.
        case divert, copy, need, reuse
    }

    static let mutationName = "step"

    var kind: Kind
    var number: Int
    var key: String

    /// What it writes. The value of a note is its author.
    func changes(_ read: (RowKey) throws -> String?) throws -> [RowKey: String] {
        func row(_ collection: String, _ key: String) -> RowKey { RowKey(collection: collection, key: key) }
        func count(_ collection: String) throws -> [RowKey: String] {
            let counter = row(collection, "count")
            return [counter: "\((try read(counter).flatMap(Int.init) ?? 0) + 1)"]
        }
        switch kind {
        case .put: return [row("c", key): "\(number)"]
        case .count: return try count("c")
        case .log: return [row("c", "log"): (try read(row("c", "log")) ?? "") + "\(number),"]
        case .forbidden: return [row("m", key): "\(number)"]
        case .countForbidden: return try count("m")
        case .bad: return [row(notes.name, key): "bob"]
        case .long: return [row("c", String(repeating: key, count: 600)): "\(number)"]
        case .divert: return [row(try read(row("m", key)) == nil ? "c" : "m", key): "diverted \(number)"]
        case .copy: return [row("c", key): try read(row("m", key)) ?? "none"]
        case .need:
            guard try read(row("m", key)) != nil else { throw Deed.Impossible(description: "There is no \(key).") }
            return [row("c", key): "needed \(number)"]
        case .reuse: return [row(notes.name, key): try read(row(notes.name, key)) ?? "ada"]
        }
    }

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        for (key, value) in try changes({ try Self.value($0, transaction) }) {
            if key.collection == notes.name {
                try transaction[notes].save(Note(id: key.key, author: value, members: "#all", text: "\(number)"))
            } else {
                try transaction.setObject(value, forKey: key.key, inCollection: key.collection)
            }
        }
    }

    static func value(_ key: RowKey, _ transaction: YapDatabaseReadTransaction) throws -> String? {
        key.collection == notes.name
            ? try transaction[notes][key.key]?.author
            : try transaction.object(forKey: key.key, inCollection: key.collection) as? String
    }
}

/// A space to which mutations are sent one by one.
private struct Model {
    private(set) var rows: [RowKey: String] = [:]

    /// Makes the change, or returns a part of the reason why it is refused.
    mutating func refusal(of step: Step) -> String? {
        guard let changes = try? step.changes({ rows[$0] }) else { return "There is no \(step.key)." }
        for (key, value) in changes {
            if key.collection == "m" { return "may not write in the collection" }
            if key.collection == notes.name, value != "ada" { return "bob" }
            if key.key.utf8.count > ServerLimits.name { return "too long" }
        }
        rows.merge(changes) { $1 }
        return nil
    }
}
