import Foundation
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Random transactions on several hosts, which come and go: each replica equals the server at its number, and each
/// change-set applied equals a reload, on every replica.
@Suite(.needsPostgreSQL) struct ReplicaPropertyTests {
    private static let rounds = ProcessInfo.processInfo.environment["YAP_TORTURE"] == nil ? 120 : 4_000

    @Test(arguments: [1, 2] as [UInt64])
    func replicasEqualTheServerAndListsFollowExactly(seed: UInt64) throws {
        try withScene { scene in
            var random = SplitMix64(seed: seed)
            let replicas = try ["a", "b", "c"].map { try Replica($0, scene) }
            for round in 0..<Self.rounds {
                try random.pick(replicas).write(&random)
                if random.percent(40) { try random.pick(replicas).advance("seed \(seed), round \(round)") }
                if random.percent(4) { try random.pick(replicas).reopen() }
                if random.percent(1) { _ = try scene.administration().purge(space: scene.space, olderThan: .zero) }
                if random.percent(5) {
                    try scene.expectEqual(replicas.map(\.database))
                    for replica in replicas { try replica.advance("seed \(seed), round \(round)") }
                }
            }
            try scene.expectEqual(replicas.map(\.database))
            for replica in replicas {
                try replica.advance("seed \(seed), the end")
                replica.count()
                #expect(replica.changes > 0)
                #expect(replica.reloads == 0)
            }
        }
    }

    /// Transfers between accounts keep their sum on every host at every moment, and no two hosts take the same money.
    @Test func transfersKeepTheirSum() throws {
        try withScene { scene in
            let hosts = try ["a", "b", "c"].map { try scene.host($0) }
            try hosts[0].newConnection().readWrite { transaction in
                for account in 0..<6 { try transaction.setObject("100", forKey: "\(account)", inCollection: "bank") }
            }
            try scene.expectEqual(hosts)
            let group = DispatchGroup()
            let sums = Sums()
            for (index, host) in hosts.enumerated() {
                DispatchQueue.global().async(group: group) {
                    var random = SplitMix64(seed: UInt64(index))
                    do {
                        let connection = try host.newConnection()
                        for _ in 0..<(Self.rounds / 4) {
                            let (from, to, amount) = (random.below(6), random.below(6), random.below(30))
                            try connection.readWrite { transaction in
                                try sums.check(transaction)
                                let rest = try Sums.balance(transaction, from) - amount
                                guard rest >= 0, from != to else { return }
                                try transaction.setObject("\(rest)", forKey: "\(from)", inCollection: "bank")
                                let more = try Sums.balance(transaction, to) + amount
                                try transaction.setObject("\(more)", forKey: "\(to)", inCollection: "bank")
                            }
                            try connection.syncRead { try sums.check($0) }
                        }
                    } catch { Issue.record(error) }
                }
            }
            try group.wait(for: "the transfers")
            try scene.expectEqual(hosts)
            for host in hosts { try host.newConnection().read { try sums.check($0) } }
        }
    }
}

private struct Sums: Sendable {
    func check(_ transaction: YapDatabaseReadTransaction) throws {
        #expect(try (0..<6).reduce(0) { try $0 + Self.balance(transaction, $1) } == 600)
    }

    static func balance(_ transaction: YapDatabaseReadTransaction, _ account: Int) throws -> Int {
        Int(try transaction.object(forKey: "\(account)", inCollection: "bank") as? String ?? "") ?? 0
    }
}
