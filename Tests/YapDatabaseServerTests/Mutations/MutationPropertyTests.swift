import Foundation
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Hosts that come, go and are cut off, and mutate at random all the while. In the end every file equals the server; each mutation that was
/// made is there once, in the order of its host, or among the rejections; and each change-set on the way led from the rows before to the
/// rows after.
@Suite(.needsPostgreSQL) struct MutationPropertyTests {
    /// `./run torture` makes 100,000 operations, of which about one in twenty is a fault of the line, and as many cut or join it.
    private static let isTorture = ProcessInfo.processInfo.environment["YAP_TORTURE"] != nil
    private static let steps = isTorture ? 1_000 : 100

    @Test func eachMutationIsThereOnceOrRejectedAndEachChangeSetIsExact() throws {
        for seed in 0..<UInt64(Self.isTorture ? 100 : Effort.cases(60)) {
            try withScene { try Self.play(seed: seed, $0) }
        }
    }

    private static func play(seed: UInt64, _ scene: Scene) throws {
        var random = SplitMix64(seed: seed)
        let hosts = try ["a", "b", "c"].map { try CutHost($0, scene) }
        for step in 0..<steps {
            let (host, context): (CutHost, Comment) = (random.pick(hosts), "seed \(seed), step \(step)")
            switch random.below(100) {
            case ..<60: try host.mutate(&random)
            case ..<70: try host.toggleLine()
            case ..<75: host.failOnce(&random)
            case ..<79: try host.reopen()
            case ..<83: try host.write(&random)
            case ..<84: _ = try scene.administration().purge(space: scene.space, olderThan: .zero)
            default: try host.advance(context)
            }
        }
        for host in hosts { try host.join() }
        for host in hosts { try host.waitUntilSent() }
        let truth = try scene.truth()
        for host in hosts { try host.expect(truth, "seed \(seed), the end") }
        for host in hosts { try host.check("seed \(seed), the end") }
        try checkCountersAndAccounts(hosts, "seed \(seed), the end")
    }

    /// Each increment counts once, and money is neither made nor lost.
    private static func checkCountersAndAccounts(_ hosts: [CutHost], _ context: Comment) throws {
        var counts: [String: Int] = [:]
        for deed in try hosts.flatMap({ try $0.accepted() }) where deed.kind == .increment {
            counts[deed.key, default: 0] += 1
        }
        for (key, count) in counts {
            #expect(try hosts[0].database.string(key, in: "counts") == "\(count)", context)
        }
        let balances = try hosts[0].database.newConnection().read { transaction in
            try transaction.allKeys(inCollection: "bank").map { key in
                Int(try transaction.object(forKey: key, inCollection: "bank") as? String ?? "") ?? -1
            }
        }
        #expect(balances.reduce(0, +) == 100 * balances.count && balances.allSatisfy { $0 >= 0 }, context)
    }
}

/// A host whose line is cut at times.
private final class CutHost {
    let name: String
    private let scene: Scene
    private let line: CutLine
    private var replica: Replica
    private var isCut = false
    private var count = 0
    private var made: [UUID: Deed] = [:]

    var database: YapDatabase { replica.database }

    init(_ name: String, _ scene: Scene) throws {
        (self.name, self.scene) = (name, scene)
        line = try CutLine(scene)
        let address = line.address
        replica = try Replica(name, scene) { $0.address = address }
        database.registerMutations(Deed.self, Put.self)
    }

    func mutate(_ random: inout SplitMix64) throws {
        let deed = Deed(
            host: name, number: count, kind: random.pick(Deed.Kind.allCases), key: "k\(random.below(8))",
            value: random.pick(["A", "B", "C", "-"]) + "\(random.below(9))", needsRow: random.percent(30))
        do {
            made[try database.make(deed)] = deed
            count += 1
        } catch is Deed.Impossible {}
    }

    func toggleLine() throws {
        if isCut { try line.join() } else { try line.cut() }
        database.server?.refresh()
        isCut.toggle()
    }

    func join() throws {
        line.disarm()
        if isCut { try toggleLine() }
    }

    /// The line fails once with one of the next messages.
    func failOnce(_ random: inout SplitMix64) {
        line.arm(random.pick([.cutBefore, .cutAfter, .repeat]), at: random.below(12))
    }

    func reopen() throws {
        try replica.reopen()
        database.registerMutations(Deed.self, Put.self)
    }

    /// An ordinary transaction, where the server can be reached.
    func write(_ random: inout SplitMix64) throws {
        guard !isCut else { return }
        let value = "A\(random.below(9))"
        do { try database.set(value, "k\(random.below(8))") } catch let error as YapDatabaseServerError
            where [.serverUnreachable, .outcomeUnknown, .serverFailed].contains(error.code)
        {}
    }

    func expect(_ truth: (number: Int, rows: [RowKey: [Data?]]), _ context: Comment) throws {
        try scene.waitForNumber(truth.number, in: database)
        let rows = try database.storedRows()
        let wrong = Set(rows.keys).union(truth.rows.keys).filter { rows[$0] != truth.rows[$0] }
        #expect(wrong.isEmpty, "\(context), \(name): \(wrong.map { ($0, rows[$0]?.first, truth.rows[$0]?.first) })")
    }

    func advance(_ context: Comment) throws { try replica.advance(context) }
    func waitUntilSent() throws { try database.waitUntilSent() }

    func accepted() throws -> [Deed] {
        let rejected = try Set(database.rejected.map(\.id))
        return made.filter { !rejected.contains($0.key) }.map(\.value)
    }

    func check(_ context: Comment) throws {
        try advance(context)
        let rejected = try Set(database.rejected.map(\.id))
        let wanted = try accepted().map(\.number).sorted()
        let order = try database.string(name, in: "order")
        #expect((order ?? "").split(separator: ",").compactMap { Int($0) } == wanted, context)
        #expect(rejected.allSatisfy { made[$0] != nil }, context)
        replica.count()
        #expect(replica.reloads == 0, context)
        try database.newConnection().read { transaction throws in
            var left = 0
            try transaction.forEachReplacedRow { _ in left += 1 }
            #expect(left == 0, context)
        }
    }
}
