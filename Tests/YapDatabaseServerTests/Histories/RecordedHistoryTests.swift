import FileEngine
import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import SeededRandom
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Lists, accounts and a counter that clients of several hosts write at once, while messages are lost, connections end
/// and the server is killed. A plain checker looks at the record afterwards.
@Suite(.needsPostgreSQL) struct RecordedHistoryTests {
    private static let isLong = ProcessInfo.processInfo.environment["YAP_TORTURE"] != nil
    private static let operations = isLong ? 100_000 : 600

    @Test(arguments: [1] as [UInt64])
    func allHostsHaveOneOrderAndNothingIsLost(seed: UInt64) throws {
        let server = try PostgreSQLServer(settings: PostgreSQLServer.survivesKills)
        defer { server.stop() }
        try withScene(on: server) { scene in
            let proxies = try (0..<3).map { try proxy(of: scene, number: $0) }
            defer { for proxy in proxies { proxy.close() } }
            let hosts = try proxies.enumerated().map { index, proxy in
                try scene.host("\(index)") { options in
                    options.address = proxy.address
                    options.timeout = .seconds(1)
                }
            }
            let shared = SharedLoad(operations: Self.operations)
            try waitUntil("the accounts") { (try? HistoryRows.openAccounts(hosts[0])) != nil }
            let clients = DispatchGroup()
            for index in 0..<6 {
                let client = HistoryClient(number: index, host: index % 3, hosts[index % 3], shared)
                DispatchQueue.global().async(group: clients) { client.run(seed: seed &* 100 &+ UInt64(index)) }
            }
            let others = try disturb(scene, proxies, until: shared.load, seed: seed)
            try clients.wait(for: "the clients")
            // A fault that still waits for its message must not stop the comparison.
            for proxy in proxies { proxy.disarm() }

            try scene.expectEqual(hosts)
            try shared.check(hosts[0], context: "seed \(seed)")
            let faults = proxies.reduce(others) { $0 + $1.faults }
            #expect(faults >= (Self.isLong ? 400 : 3), "\(faults) faults")
        }
    }

    private func proxy(of scene: Scene, number: Int) throws -> FaultyProxy {
        let folder = scene.folder.appending(path: "p\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try FaultyProxy(to: scene.server.socket, in: folder)
    }

    /// Breaks something after every few operations.
    /// - Returns: how often connections were ended and the server was killed.
    private func disturb(
        _ scene: Scene, _ proxies: [FaultyProxy], until load: HistoryLoad, seed: UInt64
    ) throws -> Int {
        var random = SplitMix64(seed: seed)
        var (count, next) = (0, 0)
        while !load.isDone {
            if load.begun >= next {
                next += Self.isLong ? 180 : 40
                switch random.below(100) {
                case ..<85:
                    random.pick(proxies).arm(random.pick(FaultyProxy.Fault.allCases), at: random.below(20))
                case ..<96:
                    count += 1
                    try? scene.sql().execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
                        limits: AnswerLimits(silence: .seconds(60), rows: 1_000))
                default:
                    count += 1
                    try scene.server.kill()
                    try scene.server.start()
                }
            }
            // The pace of the faults.
            usleep(5_000)
        }
        return count
    }
}

/// What the clients share: the operations that are left, and the record.
private final class SharedLoad: Sendable {
    let history = History()
    /// Increments that were acknowledged, and those of which nothing is known.
    let stored = Atomic(0)
    let unknown = Atomic(0)
    let load: HistoryLoad

    init(operations: Int) { load = HistoryLoad(operations: operations, clients: 6) }

    func check(_ database: YapDatabase, context: String) throws {
        let connection = try database.newConnection()
        try connection.read { transaction in
            var lists: [String: [Substring]] = [:]
            try transaction.forEachStoredKey { key in
                guard key.collection == "lists" else { return }
                lists[key.key] = try HistoryRows.elements(of: key.key, transaction)
            }
            let violations = history.violations(final: lists)
            #expect(violations == [], Comment(rawValue: context))
            #expect(try HistoryRows.sum(transaction) == HistoryRows.money, Comment(rawValue: context))
            let count = try HistoryRows.count(transaction)
            let (stored, unknown) = (stored.load(ordering: .relaxed), unknown.load(ordering: .relaxed))
            #expect(
                (stored...(stored + unknown)).contains(count), "\(context): \(stored) acknowledged, \(unknown) unknown")
        }
    }
}

/// One thread of a host that does operations at random and writes down what came of them.
private struct HistoryClient: Sendable {
    let number: Int
    let host: Int
    let database: YapDatabase
    let shared: SharedLoad

    init(number: Int, host: Int, _ database: YapDatabase, _ shared: SharedLoad) {
        (self.number, self.host, self.database, self.shared) = (number, host, database, shared)
    }

    func run(seed: UInt64) {
        shared.load.run(database, seed: seed) { operation, random, connection in
            let list = "\(operation / 300)-\(random.below(3))"
            switch random.below(100) {
            case ..<40: try append("\(number):\(operation)", to: list, random.percent(50) ? .rows : nil, connection)
            case ..<60: try transfer(connection, random.below(8), random.below(8), random.below(40))
            case ..<70: try increment(connection)
            default: try read(list, connection)
            }
        }
    }

    private func append(
        _ element: String, to list: String, _ mode: YapDatabaseServerMode?, _ connection: YapDatabaseConnection
    ) throws {
        let began = shared.history.tick()
        let outcome = try self.outcome {
            try connection.readWrite { transaction in
                transaction.serverMode = mode
                try HistoryRows.append(element, to: list, transaction)
            }
        }
        let append = History.Append(
            list: list, element: element, host: host, began: began, ended: shared.history.tick(), outcome: outcome)
        shared.history.note(append)
    }

    private func read(_ list: String, _ connection: YapDatabaseConnection) throws {
        let began = shared.history.tick()
        let elements = try connection.read { transaction throws in
            let sum = try HistoryRows.sum(transaction)
            #expect(sum == 0 || sum == HistoryRows.money)
            return try HistoryRows.elements(of: list, transaction)
        }
        let read = History.Read(
            list: list, host: host, began: began, ended: shared.history.tick(), elements: elements)
        shared.history.note(read)
    }

    private func transfer(_ connection: YapDatabaseConnection, _ from: Int, _ to: Int, _ amount: Int) throws {
        _ = try outcome {
            _ = try connection.readWrite { try HistoryRows.transfer(amount, from: from, to: to, $0) }
        }
    }

    private func increment(_ connection: YapDatabaseConnection) throws {
        let outcome = try self.outcome {
            try connection.readWrite { try HistoryRows.countUp($0) }
        }
        switch outcome {
        case .stored, .storedOnServerOnly: shared.stored.add(1, ordering: .relaxed)
        case .unknown: shared.unknown.add(1, ordering: .relaxed)
        case .notStored: break
        }
    }

    /// What an error promises of a transaction.
    private func outcome(_ body: () throws -> Void) throws -> History.Outcome {
        do {
            try body()
            return .stored
        } catch let error as YapDatabaseServerError {
            switch error.code {
            case .outcomeUnknown: return .unknown
            case .storedOnServerOnly: return .storedOnServerOnly
            case .serverUnreachable, .serverFailed, .overtaken: return .notStored
            default: throw error
            }
        } catch let error as YapDatabaseError where error.code == .locked {
            return .notStored
        }
    }
}
