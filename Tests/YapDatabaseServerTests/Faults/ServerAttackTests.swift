import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Rows that are pushed by hand or written past `yap.push`, and servers that are made again or put back: every host goes on with the
/// rest, and nothing that was acknowledged is lost. `./run attack` runs it for longer.
@Suite(.needsPostgreSQL) struct ServerAttackTests {
    @Test func hostilePushesAndLostServersCostNoAcknowledgedRow() async throws {
        try await Attack.rounds("servers") { seed in
            do { try withScene { try Round(scene: $0, seed: seed).run() } } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }
}

private final class Round {
    private let scene: Scene
    private let seed: UInt64
    private var random: SplitMix64
    private var hosts: [YapDatabase] = []
    /// What was acknowledged, by key, in the collection `c`. Hands push into `x`.
    private var acknowledged: [String: String] = [:]

    init(scene: Scene, seed: UInt64) {
        self.scene = scene
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    func run() throws {
        hosts = try ["a", "b"].map { try scene.host($0) }
        try act(6)
        let putBack = try scene.backUpSpace()
        try act(6)
        try waitForAll()
        switch random.below(4) {
        case 0: try lose { try putBack() }
        case 1: try lose { try scene.remakeSpace() }
        case 2:
            try lose {
                try putBack()
                try goOnAndPurge()
            }
        default: break
        }
        try act(3)
        try waitForAll()
    }

    private func act(_ count: Int) throws {
        for _ in 0..<count {
            switch random.below(4) {
            case 0: try pushByHand()
            case 1: try insertPastPush()
            default: try write(random.pick(hosts))
            }
        }
    }

    private func write(_ host: YapDatabase) throws {
        let (key, value) = ("\(random.below(8))", "\(random.next())")
        try host.set(value, key)
        acknowledged[key] = value
    }

    /// What a hand could send: most of it is refused.
    private func pushByHand() throws {
        let names = ["'{x}'", "'{x, y}'", "'{NULL}'", "'{}'", "NULL", #"'{"\\xff"}'"#, #"'{"\\x00"}'"#, #"'{""}'"#]
        let values = [
            "'{v}'", "'{NULL}'", "'{}'", "NULL", "'{v, w}'", "ARRAY[convert_to(repeat('x', 68000000), 'UTF8')]",
        ]
        let kinds = (["NULL"] + [Int](-1...64).map { "'{\($0)}'" } + ["'{}'", "'{7, 8}'", "'{2147483647}'"])
        let statement =
            "SELECT yap.push(s.id, \(random.pick(["s.number", "0", "-1", "NULL", "9e15::int8"])), c.id, "
            + "\(random.pick(["gen_random_uuid()", "NULL", "c.id"])), \(random.pick(["0", "1", "2", "3", "NULL", "-1"])), "
            + "\(random.pick(names)), \(random.pick(names)), \(random.pick(kinds)), \(random.pick(values)), \(random.pick(values))) "
            + "FROM yap.space s JOIN yap.commit c ON c.space = s.id AND c.number = s.number WHERE s.name = '\(scene.space)'"
        do { try scene.sql().execute(statement, limits: limits) } catch let error as PostgreSQLError {
            #expect(error.kind == .failed, "seed \(seed): \(error) after \(statement)")
        }
    }

    private func insertPastPush() throws {
        let name = ["'x'", #"'\xff'"#, #"'\x00'"#, "''", "convert_to(repeat('n', 2000), 'UTF8')"]
        let value = ["NULL", "'v'", "''", "convert_to(repeat('x', 68000000), 'UTF8')"]
        let number = ["number", "0", "-1"]
        try scene.sql().execute(
            """
            UPDATE yap.space SET number = number + 1 WHERE name = '\(scene.space)';
            INSERT INTO yap.commit (space, number, id) SELECT id, number, gen_random_uuid() FROM yap.space WHERE name = '\(scene.space)';
            INSERT INTO yap.row (space, collection, key, object, metadata, gone, born, object_at, metadata_at, changed)
              SELECT id, \(random.pick(["'x'", random.pick(name)])), \(random.pick(name)), \(random.pick(value)), \(random.pick(value)),
                \(random.pick(["false", "true"])), \(random.pick(number)), \(random.pick(number)), \(random.pick(number)), number
              FROM yap.space WHERE name = '\(scene.space)' ON CONFLICT DO NOTHING
            """, limits: limits)
    }

    /// The hosts keep what they have, until they give it back.
    private func lose(_ event: () throws -> Void) throws {
        for host in hosts { try scene.close(host) }
        try event()
        hosts = try ["a", "b"].map { try scene.host($0) }
        for host in hosts {
            try waitUntil("live or refused: \(String(describing: host.server?.state))") {
                if case .refused = host.server?.state { true } else { host.server?.state == .live }
            }
            try expectAcknowledged(in: host)
        }
        // A row that a hand wrote with the numbers of an earlier commit is in the file of a host that compared, and not in the other's.
        for host in hosts {
            let given = try host.restoreSpace(address: scene.server.address(), replacing: true)
            #expect(given.isComplete, "seed \(seed)")
        }
        for host in hosts { host.server?.refresh() }
    }

    /// A host without a past writes into the space, perhaps beyond the commits of the others, which are then purged.
    private func goOnAndPurge() throws {
        let fresh = try scene.host("fresh")
        for _ in 0..<random.below(30) { try fresh.set("fresh", "fresh") }
        try scene.close(fresh)
        _ = try scene.administration().purge(space: scene.space, olderThan: .zero)
    }

    private func waitForAll() throws {
        for host in hosts {
            try waitUntil("seed \(seed), not \(String(describing: host.server?.state))") {
                try host.server?.state == .live && host.position?.reached == scene.number()
            }
            try expectAcknowledged(in: host)
        }
    }

    private func expectAcknowledged(in host: YapDatabase) throws {
        for (key, value) in acknowledged {
            #expect(try host.string(key) == value, "seed \(seed), key \(key)")
        }
    }
}

private let limits = AnswerLimits(silence: .seconds(60))

extension Scene {
    fileprivate func number() throws -> Int {
        var number = 0
        try sql().query("SELECT number FROM yap.space WHERE name = $1", [.text(space)], limits: limits) {
            number = try $0.int(0)
        }
        return number
    }
}
