import Foundation
import ListChanges
import Testing

@testable import YapDatabase

/// Numbers that stand for fields in a sort are ordered as the fields are.
@Suite struct SortPrefixTests {
    private struct Row: Codable, Sendable, Identifiable, Equatable {
        var id: Int
        var number: Int
        var score: Double
        var date: Date
        var text: String
    }

    private static let pieces = [
        "a", "b", "Z", "z", " ", "\0", "é", "e\u{301}", "\u{301}", "ß", "Å", "A\u{30a}", "😀", "\u{7f}", "\u{80}",
        "abcdefgh", "abcdefg",
    ]

    private static func row(_ id: Int, _ random: inout SplitMix64) -> Row {
        let numbers: [Int] = [
            .min, .max, 0, -1, 1, random.below(10), -random.below(10), Int(bitPattern: UInt(random.next())),
        ]
        let doubles: [Double] = [
            0, -0.0, .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
            Double(bitPattern: random.next()), Double(random.below(10)) / 4 - 1,
        ]
        return Row(
            id: id, number: numbers[random.below(numbers.count)], score: doubles[random.below(doubles.count)],
            date: Date(timeIntervalSinceReferenceDate: Double(random.below(2_000)) / 8 - 100),
            text: (0..<random.below(11)).map { _ in pieces[random.below(pieces.count)] }.joined())
    }

    private static let orders: [(String, YapOrder<Row>)] = [
        ("number", .ascending(\.number)), ("number, descending", .descending(\.number)),
        ("score", .ascending(\.score)), ("score, descending", .descending(\.score)),
        ("date", .ascending(\.date)), ("date, descending", .descending(\.date)),
        ("text", .ascending(\.text)), ("text, descending", .descending(\.text)),
    ]

    @Test(arguments: orders.indices) func differentNumbersMeanTheOrderOfTheFields(order: Int) throws {
        let (name, order) = Self.orders[order]
        let prefix = try #require(order.prefix)
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        var decided = 0
        for _ in 0..<20_000 {
            let (a, b) = (Self.row(0, &random), Self.row(1, &random))
            let (first, second) = (withUnsafePointer(to: a) { prefix($0) }, withUnsafePointer(to: b) { prefix($0) })
            guard first != second else { continue }
            decided += 1
            let expected: ComparisonResult = first < second ? .orderedAscending : .orderedDescending
            if order.compare(a, b) != expected { Issue.record("seed \(seed), \(name): \(a) and \(b)") }
        }
        #expect(decided > 1_000, "seed \(seed)")
    }

    /// In batches, which are merged by the numbers, and by reading rows where these are equal or missing.
    @Test(arguments: [1, 9, 250, 1_000]) func aListInBatchesIsInTheOrderOfOneSort(batch: Int) throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        let rows = (0..<600).map { id in
            Self.row(id, &random)
        }
        let collection = YapCollection("rows", of: Row.self)
        for (name, order) in Self.orders {
            let list = YapList("list", of: collection, sortedBy: order)
            try withTemporaryDatabase { database throws in
                try database.register(list)
                try database.unregisterExtension(withName: "list")
                try database.newConnection().readWrite { try $0[collection].save(rows) }
                try database.newConnection().readWrite { transaction throws in
                    let view = list.makeExtension() as! YapDatabaseAutoView
                    let pages = try transaction.pages(of: view, inBatchesOf: batch)
                    var ids: [Int] = []
                    let group = try #require(pages.state.groups.first?.key)
                    try pages.forEachRowid(inGroup: group, range: 0..<pages.count(inGroup: group), reversed: false) {
                        ids.append(Int(try #require(try transaction.key(forRowid: $1)?.key)) ?? -1)
                        return true
                    }
                    let expected = rows.stablySorted { order.compare($0, $1) == .orderedAscending }.map(\.id)
                    #expect(ids == expected, "seed \(seed), \(name)")
                    #expect(pages.commitLog?.isIncomplete == (batch < rows.count))
                }
            }
        }
    }
}
