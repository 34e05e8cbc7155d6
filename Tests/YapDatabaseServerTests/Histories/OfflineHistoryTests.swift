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

/// Lists, accounts and a counter that four hosts write by mutations, of which two are offline at any time, while messages are lost and the
/// server is killed.
@Suite(.needsPostgreSQL) struct OfflineHistoryTests {
    private static let isLong = ProcessInfo.processInfo.environment["YAP_TORTURE"] != nil
    private static let operations = isLong ? 20_000 : 400

    @Test(arguments: [1, 2] as [UInt64])
    func hostsOfWhichHalfAreOfflineAgreeInTheEnd(seed: UInt64) throws {
        let server = try PostgreSQLServer(settings: PostgreSQLServer.survivesKills)
        defer { server.stop() }
        try withScene(on: server) { scene in
            let lines = try (0..<4).map { _ in try CutLine(scene) }
            let hosts = try lines.enumerated().map { index, line in
                let host = try scene.host("\(index)") { $0.address = line.address }
                host.registerMutations(AppendElement.self, TransferMoney.self, CountUp.self)
                return host
            }
            try HistoryRows.openAccounts(hosts[0])
            try scene.expectEqual(hosts)
            let shared = OfflineLoad(operations: Self.operations, clients: 2 * hosts.count)
            let clients = DispatchGroup()
            for index in 0..<2 * hosts.count {
                let client = OfflineClient(number: index, host: index % hosts.count, hosts[index % hosts.count], shared)
                DispatchQueue.global().async(group: clients) { client.run(seed: seed &* 100 &+ UInt64(index)) }
            }
            try disturb(scene, lines, hosts, until: shared.load, seed: seed)
            try clients.wait(for: "the clients")
            for line in lines {
                line.disarm()
                try line.join()
            }
            for host in hosts {
                host.server?.refresh()
                try host.waitUntilSent()
            }
            try scene.expectEqual(hosts)
            try shared.check(hosts, "seed \(seed)")
        }
    }

    /// Has two hosts offline, now these, now those; and sometimes loses a message or kills the server.
    private func disturb(
        _ scene: Scene, _ lines: [CutLine], _ hosts: [YapDatabase], until load: HistoryLoad, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var (offline, next) = (Set<Int>(), 0)
        while !load.isDone {
            if load.begun >= next {
                next += 20
                let first = random.below(lines.count)
                let chosen: Set = [first, (first + 1 + random.below(lines.count - 1)) % lines.count]
                for index in lines.indices where offline.contains(index) != chosen.contains(index) {
                    if chosen.contains(index) { try lines[index].cut() } else { try lines[index].join() }
                    hosts[index].server?.refresh()
                }
                offline = chosen
                switch random.below(100) {
                case ..<50: random.pick(lines).arm(random.pick([.cutBefore, .cutAfter, .repeat]), at: random.below(12))
                case ..<55:
                    try scene.server.kill()
                    try scene.server.start()
                default: break
                }
            }
            // The pace of the faults.
            usleep(5_000)
        }
    }
}

private struct AppendElement: YapMutation {
    static let mutationName = "append"
    var element: String
    var list: String

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try HistoryRows.append(element, to: list, transaction)
    }
}

private struct TransferMoney: YapMutation {
    static let mutationName = "transfer"
    var from: Int
    var to: Int
    var amount: Int

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        guard try HistoryRows.transfer(amount, from: from, to: to, transaction) else {
            throw Deed.Impossible(description: "Account \(from) has too little.")
        }
    }
}

private struct CountUp: YapMutation {
    static let mutationName = "count"

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try HistoryRows.countUp(transaction)
    }
}

/// What the clients share: the operations that are left, and the record.
private final class OfflineLoad: Sendable {
    struct Append {
        var list: String
        var element: String
        var host: Int
        var ended: Int
    }

    let increments = Atomic(0)
    let appends = Locked<[Append]>([])
    let reads = Locked<[History.Read]>([])
    let load: HistoryLoad
    private let events = Atomic(0)

    init(operations: Int, clients: Int) { load = HistoryLoad(operations: operations, clients: clients) }

    /// The next moment.
    func tick() -> Int { events.add(1, ordering: .sequentiallyConsistent).newValue }

    /// The law: each acknowledged append is in its list once, and those of a host are in the order of the host; each increment counted once;
    /// no money is made or lost. A read of a host is a beginning of the list, and then what the host itself has pending, in its order: with
    /// all that it had appended before, and no fewer elements of other hosts than before.
    func check(_ hosts: [YapDatabase], _ context: Comment) throws {
        let (appends, reads) = (appends.withLock { $0 }, reads.withLock { $0 })
        let owners = Dictionary(uniqueKeysWithValues: appends.map { ($0.element[...], $0) })
        for host in hosts {
            let (count, sum) = try host.newConnection().read { (try HistoryRows.count($0), try HistoryRows.sum($0)) }
            #expect(count == increments.load(ordering: .relaxed), context)
            #expect(sum == HistoryRows.money, context)
        }
        #expect(reads.count > 10 && appends.count > 100, context)
        for list in Set(appends.map(\.list)).sorted() {
            let elements = try hosts[0].newConnection().read { try HistoryRows.elements(of: list, $0) }
            let wanted = appends.filter { $0.list == list }
            #expect(elements.sorted() == wanted.map { $0.element[...] }.sorted(), "\(context), \(list)")
            // Of a client, which appends one after another, the order is known.
            for client in Set(wanted.map { $0.element.split(separator: ":")[0] }) {
                let own = elements.filter { $0.hasPrefix("\(client):") }
                let order = own.compactMap { owners[$0]?.ended }
                #expect(order == order.sorted(), "\(context), \(list), client \(client)")
            }
            let places = Dictionary(uniqueKeysWithValues: elements.enumerated().map { ($1, $0) })
            for host in hosts.indices {
                var least = 0
                let ordered = reads.filter { $0.list == list && $0.host == host }.sorted { $0.ended < $1.ended }
                for (index, read) in ordered.enumerated() {
                    let place: Comment = "\(context), \(list), host \(host), \(read.elements) of \(elements)"
                    let confirmed = zip(read.elements, elements).prefix { $0 == $1 }.count
                    let rest = read.elements[confirmed...]
                    #expect(rest.allSatisfy { owners[$0]?.host == host }, place)
                    let order = rest.compactMap { places[$0] }
                    #expect(order == order.sorted(), place)
                    let own = wanted.filter { $0.host == host && $0.ended < read.began }
                    #expect(Set(own.map { $0.element[...] }).isSubset(of: read.elements), place)
                    for former in ordered[..<index] where former.ended < read.began {
                        least = max(least, former.elements.count { owners[$0]?.host != host })
                    }
                    #expect(read.elements.count { owners[$0]?.host != host } >= least, place)
                }
            }
        }
    }
}

/// One thread of a host that does operations at random and writes down what it did and saw.
private struct OfflineClient: Sendable {
    let number: Int
    let host: Int
    let database: YapDatabase
    let shared: OfflineLoad

    init(number: Int, host: Int, _ database: YapDatabase, _ shared: OfflineLoad) {
        (self.number, self.host, self.database, self.shared) = (number, host, database, shared)
    }

    func run(seed: UInt64) {
        shared.load.run(database, seed: seed) { operation, random, connection in
            let list = "\(operation / 200)-\(random.below(2))"
            switch random.below(100) {
            case ..<45:
                let element = "\(number):\(operation)"
                try connection.mutate(AppendElement(element: element, list: list))
                shared.appends.withLock { appends in
                    appends.append(.init(list: list, element: element, host: host, ended: shared.tick()))
                }
            case ..<60:
                let (from, to) = (random.below(HistoryRows.accounts), random.below(HistoryRows.accounts))
                do {
                    try connection.mutate(TransferMoney(from: from, to: to, amount: random.below(40)))
                } catch is Deed.Impossible {}
            case ..<70:
                try connection.mutate(CountUp())
                shared.increments.add(1, ordering: .relaxed)
            default: try read(list, connection)
            }
            // So that there is time to come and go.
            usleep(2_000)
        }
    }

    private func read(_ list: String, _ connection: YapDatabaseConnection) throws {
        let began = shared.tick()
        let elements = try connection.read { transaction throws in
            let sum = try HistoryRows.sum(transaction)
            #expect(sum == HistoryRows.money)
            return try HistoryRows.elements(of: list, transaction)
        }
        let read = History.Read(
            list: list, host: host, began: began, ended: shared.tick(), elements: elements)
        shared.reads.withLock { $0.append(read) }
    }
}
