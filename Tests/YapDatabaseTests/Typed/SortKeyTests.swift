import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// What is read out of a row to compare it decides as the orders of its list do, whether it was read out of the value or out of the bytes.
@Suite struct SortKeyTests {
    private struct Inner: YapPlainCodable, Sendable, Equatable {
        var name: String
        var weight: Double
    }

    private struct Row: YapPlainCodable, Sendable, Identifiable {
        var id: Int
        var inner: Inner
        var text: String
        var due: Date?
    }

    private static let pieces = ["a", "Z", "\0", "é", "e\u{301}", "ß", "😀", "\u{80}", "abcdefgh", "abcdefgi"]

    private static func row(_ id: Int, _ random: inout SplitMix64) -> Row {
        let numbers: [Double] = [0, -0.0, .infinity, -.infinity, .nan, 1, -1, Double(random.below(5))]
        func text(_ random: inout SplitMix64) -> String {
            (0..<random.below(4)).map { _ in pieces[random.below(pieces.count)] }.joined()
        }
        return Row(
            id: id, inner: Inner(name: text(&random), weight: numbers[random.below(numbers.count)]),
            text: text(&random),
            due: random.percent(30) ? nil : Date(timeIntervalSinceReferenceDate: numbers[random.below(numbers.count)]))
    }

    private static let orders: [[YapOrder<Row>]] = [
        [.ascending(\.inner.name), .descending(\.inner.weight)],
        [.descending(\.text), .ascending(\.inner.name), .ascending(\.id)],
        [.ascending(\.due, nil: .last), .descending(\.text)], [.descending(\.text)],
        [.ascending(\.inner.weight), .descending(\.inner.name), .descending(\.due), .ascending(\.text)],
    ]

    @Test(arguments: orders.indices) func keysDecideAsTheOrdersDo(number: Int) throws {
        let orders = Self.orders[number]
        let reader = try #require(SortKeyReader(orders))
        let keys = SortKeys(steps: reader.steps.map { $0.kind }) { _ in SortKey(numbers: [], texts: []) }
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        var equal = 0
        for _ in 0..<20_000 {
            let a = Self.row(0, &random)
            var b = Self.row(random.below(2), &random)
            // Four fields that agree by chance are too rare.
            if random.percent(10) { (b.inner, b.text, b.due) = (a.inner, a.text, a.due) }
            let expected = orders.compare(a, b)
            equal += expected == .orderedSame ? 1 : 0
            let (first, second) = (reader.key(of: a), reader.key(of: b))
            if keys.compare(first, second) != expected { Issue.record("seed \(seed): \(a) and \(b)") }
            if keys.compare(second, first).rawValue != -expected.rawValue {
                Issue.record("seed \(seed): \(b) and \(a)")
            }
        }
        #expect(equal > 0, "seed \(seed): no two rows were equal")
    }

    /// Orders that compare something else are left to blocks: closures, texts of a language, and numbers that may be missing.
    @Test func otherOrdersHaveNoKeys() {
        #expect(SortKeyReader([YapOrder<Row>.ascending(\.text, .caseInsensitive)]) == nil)
        #expect(
            SortKeyReader([YapOrder<Row>.ascending(\.text), .by { $0.id < $1.id ? .orderedAscending : .orderedSame }])
                == nil)
    }

    /// Each step is written by a process that remembers nothing, so the rows that are compared are read out of their bytes.
    @Test(arguments: orders.indices) func listsOfRowsReadFromTheFileAreInOrder(number: Int) throws {
        let rows = YapCollection("rows", of: Row.self)
        let orders = Self.orders[number]
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            var model: [Int: Row] = [:]
            for step in 0..<Effort.cases(12) {
                let database = try YapDatabase(url: url, options: .forTests)
                let list = Self.list(of: rows, orders)
                try database.register(list)
                let connection = try database.newConnection()
                for _ in 0..<(step == 0 ? 60 : 8) {
                    let row = Self.row(random.below(120), &random)
                    model[row.id] = row
                    try connection.readWrite { try $0[rows].save(row) }
                }
                let found = try connection.read { transaction in try transaction[list].values() }
                #expect(found.map(\.id).sorted() == model.keys.sorted(), "seed \(seed), step \(step)")
                for (a, b) in zip(found, found.dropFirst()) where orders.compare(a, b) == .orderedDescending {
                    Issue.record("seed \(seed), step \(step): \(a) stands before \(b)")
                }
                try database.close()
            }
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }

    private static func list(
        of rows: YapCollection<Row, Int, Never>, _ orders: [YapOrder<Row>]
    ) -> YapList<Row, Int, Never> {
        switch orders.count {
        case 1: YapList("list", of: rows, sortedBy: orders[0])
        case 2: YapList("list", of: rows, sortedBy: orders[0], orders[1])
        case 3: YapList("list", of: rows, sortedBy: orders[0], orders[1], orders[2])
        default: YapList("list", of: rows, sortedBy: orders[0], orders[1], orders[2], orders[3])
        }
    }
}
