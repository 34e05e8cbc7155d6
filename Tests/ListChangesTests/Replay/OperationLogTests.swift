import ListChanges
import SeededRandom
import Testing

/// The log that a commit has, against an array of its operations.
@Suite struct OperationLogTests {
    private static let collections = ["", "c", "e\u{301}", "\u{e9}", "a collection of more than fifteen bytes"]

    /// Operations that views make, and some that only a caller or a file can make: no such index, unknown flags.
    private func operation(_ random: inout SplitMix64, groups: Int) -> RawOperation {
        let group = "group \(random.below(groups))"
        let key = RowKey(collection: random.pick(Self.collections), key: "key \(random.below(50))")
        let index =
            random.below(20) == 0 ? random.pick([-1, Int.min, Int.max, 1 << 48, 1 << 48 - 1]) : random.below(1_000)
        let flags = random.below(20) == 0 ? random.pick([-1, 1 << 8, Int.max]) : random.below(16)
        return random.pick([
            .insertSection(group: group), .deleteSection(group: group), .resetSection(group: group),
            .insertRow(group: group, index: index, key: key), .deleteRow(group: group, index: index, key: key),
            .updateRow(group: group, index: index, key: key, flags: ChangeFlags(rawValue: flags)),
        ])
    }

    @Test(arguments: 1...(20 as UInt64)) func agreesWithAnArray(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let operations = (0..<random.below(600)).map { _ in operation(&random, groups: Int(seed)) }
        let log = OperationLog(operations)
        #expect(Array(log) == operations, "seed \(seed)")
        #expect(
            Set(log.groups) == Set(operations.map(\.group)) && log.groups.count == Set(log.groups).count, "seed \(seed)"
        )
        let sections = operations.filter {
            switch $0 {
            case .insertSection, .deleteSection, .resetSection: true
            case .insertRow, .deleteRow, .updateRow: false
            }
        }
        #expect(log.sectionGroups == sections.map(\.group), "seed \(seed)")
        let part = random.below(operations.count + 1)..<operations.count
        #expect(Array(OperationLog(log[part])) == Array(operations[part]), "seed \(seed)")
        #expect(log.counts(from: ["group 1": 3]) == operations.counts(from: ["group 1": 3]), "seed \(seed)")
    }

    /// Several views of a transaction name the same rows, each in an order and in groups of its own.
    @Test(arguments: 1...(20 as UInt64)) func logsOfOneTransactionShareTheirKeys(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let keys = RowKeyList()
        let logs = (0..<4).map { _ in OperationLog(keys: keys) }
        var models = Array(repeating: [RawOperation](), count: logs.count)
        for _ in 0..<300 {
            let next = operation(&random, groups: 12)
            for (place, log) in logs.enumerated() where random.below(4) > 0 {
                log.append(next)
                models[place].append(next)
                guard case .insertRow(_, let index, let key) = next, (0..<1_000).contains(index) else { continue }
                log.appendInsertion(of: keys.number(of: key), at: index, in: "other")
                models[place].append(.insertRow(group: "other", index: index, key: key))
            }
        }
        for (log, model) in zip(logs, models) { #expect(Array(log) == model, "seed \(seed)") }
    }

    /// "é" and "e" with an accent are two groups, two collections and two keys.
    @Test func namesDifferIfTheirBytesDo() {
        let operations = ["\u{e9}", "e\u{301}"].map {
            RawOperation.insertRow(group: $0, index: 0, key: RowKey(collection: $0, key: $0))
        }
        let log = OperationLog(operations + operations)
        #expect(log.groups.map { Array($0.utf8) } == [[0xc3, 0xa9], [0x65, 0xcc, 0x81]])
        #expect(log.map { Array($0.group.utf8) } == (operations + operations).map { Array($0.group.utf8) })
        let rows = log.compactMap { operation -> RowKey? in
            if case .insertRow(_, _, let key) = operation { key } else { nil }
        }
        #expect(rows[0] == rows[2] && rows[1] == rows[3] && rows[0] != rows[1])
    }

    /// A million rows share a list of keys with a list's log of 16 bytes an operation.
    @Test func anOperationTakesSixteenBytes() { #expect(OperationLog.bytesOfOperation == 16) }
}
