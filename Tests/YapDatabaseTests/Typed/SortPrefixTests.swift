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
        var due: Date?
        var rank: Int?
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
            text: (0..<random.below(11)).map { _ in pieces[random.below(pieces.count)] }.joined(),
            due: random.below(3) == 0
                ? nil : Date(timeIntervalSinceReferenceDate: doubles[random.below(doubles.count)]),
            rank: random.below(3) == 0 ? nil : numbers[random.below(numbers.count)])
    }

    private static let orders: [(String, YapOrder<Row>)] = [
        ("number", .ascending(\.number)), ("number, descending", .descending(\.number)),
        ("score", .ascending(\.score)), ("score, descending", .descending(\.score)),
        ("date", .ascending(\.date)), ("date, descending", .descending(\.date)),
        ("text", .ascending(\.text)), ("text, descending", .descending(\.text)),
        ("due", .ascending(\.due)), ("due, descending", .descending(\.due)),
        ("due, nil last", .ascending(\.due, nil: .last)),
        ("due, descending, nil first", .descending(\.due, nil: .first)),
        ("rank", .ascending(\.rank)), ("rank, descending, nil first", .descending(\.rank, nil: .first)),
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
            guard first != second else {
                if order.isPrefixExact, order.compare(a, b) != .orderedSame {
                    Issue.record("seed \(seed), \(name): \(a) and \(b) have one number")
                }
                continue
            }
            decided += 1
            let expected: ComparisonResult = first < second ? .orderedAscending : .orderedDescending
            if order.compare(a, b) != expected { Issue.record("seed \(seed), \(name): \(a) and \(b)") }
        }
        #expect(decided > 1_000, "seed \(seed)")
    }

    private typealias Group = YapGroupRow<Row>

    private static let unread = YapFigure.count(where: \Row.number > 0)
    private static let whole = YapFigure.sum(\Row.number)
    private static let real: YapFigure<Row, Double> = .sum(\Row.score)
    private static let least = YapFigure.minimum(\Row.number)
    private static let newest = YapFigure.maximum(\Row.date)
    private static let text = YapFigure.maximum(\Row.text)

    private static func group(_ random: inout SplitMix64) -> Group {
        let row = Self.row(0, &random)
        let numbers: [Int64] = [.min, .max, .min + 1, .max - 1, 0, Int64(random.below(5))]
        let number = numbers[random.below(numbers.count)]
        var sum = ExactSum()
        sum.add(row.score)
        func bound(_ value: SQLValue) -> FigureState { .extreme(FigureBound(random.below(3) == 0 ? nil : value)) }
        return Group(
            name: "group", count: 1 + random.below(3), first: random.below(3) == 0 ? nil : Self.row(1, &random),
            last: random.below(3) == 0 ? nil : row,
            figures: [
                GroupFigure(name: unread.rule.name, state: .count(random.below(4))),
                GroupFigure(name: whole.rule.name, state: .whole(Int128(number))),
                GroupFigure(name: real.rule.name, state: .real(sum)),
                GroupFigure(name: least.rule.name, state: bound(.integer(number))),
                GroupFigure(name: newest.rule.name, state: bound(.real(row.date.timeIntervalSinceReferenceDate))),
                GroupFigure(name: text.rule.name, state: bound(.text(row.text))),
            ])
    }

    private static let groupOrders: [YapOrder<Group>] = [
        .ascending(unread), .descending(unread), .ascending(whole), .descending(whole), .ascending(real),
        .descending(real), .ascending(least), .descending(least), .ascending(newest), .descending(newest),
        .ascending(text), .descending(text), .ascending(last: \.number), .descending(last: \.number),
        .ascending(last: \.score), .descending(last: \.score), .ascending(last: \.date), .descending(last: \.date),
        .ascending(last: \.text), .descending(last: \.text), .ascending(first: \.score), .descending(first: \.number),
    ]

    /// Also where a figure, the first or the last row is missing.
    @Test(arguments: groupOrders.indices) func differentNumbersMeanTheOrderOfGroups(order: Int) throws {
        let order = Self.groupOrders[order]
        let prefix = try #require(order.prefix)
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let (a, b) = (Self.group(&random), Self.group(&random))
            let (first, second) = (withUnsafePointer(to: a) { prefix($0) }, withUnsafePointer(to: b) { prefix($0) })
            let compared = order.compare(a, b)
            if first == second, compared == .orderedSame || !order.isPrefixExact { continue }
            let expected: ComparisonResult =
                first == second ? .orderedSame : first < second ? .orderedAscending : .orderedDescending
            if compared != expected {
                Issue.record("seed \(seed), \(order.description ?? ""): \(a) and \(b), \(first) and \(second)")
            }
        }
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
