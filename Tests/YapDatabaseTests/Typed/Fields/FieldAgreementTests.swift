import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// Conditions and orders mean the same in a list that is written row by row, in one that is filled, in a query and in a plain model, over what
/// is missing, what is not a number, infinities, empty texts and texts that Swift calls equal although their bytes differ.
@Suite struct FieldAgreementTests {
    /// All cases of all seeds.
    private static let cases = Effort.dearCases(20_000)
    private static let casesInOneFile = 25
    private static let seeds = Array(0..<UInt64(cases / casesInOneFile / 2))
    private static let firstSeed = UInt64.random(in: 0...(.max) >> 8)

    @Test(arguments: seeds) func listsAndQueriesAgreeWithTheModel(seed: UInt64) throws {
        try agree(Unpromised.self, seed: Self.firstSeed + seed)
    }

    @Test(arguments: seeds) func listsOverStoredFieldsAgreeWithTheModel(seed: UInt64) throws {
        try agree(Promised.self, seed: Self.firstSeed + seed)
    }

    private struct Case<Kind: Sendable> {
        let condition: ModelCondition<Kind>?
        let orders: [ModelOrder<Kind>]
        let list: YapList<Sample<Kind>, Int, Never>
        let refilled: YapList<Sample<Kind>, Int, Never>

        init(_ number: Int, _ random: inout SplitMix64) {
            let condition = random.percent(80) ? ModelCondition<Kind>.random(&random) : nil
            // The last order decides between all rows, so that there is one order.
            let (first, second) = (ModelOrder<Kind>.random(&random), ModelOrder<Kind>.random(&random))
            func list(_ name: String, _ count: Int) -> YapList<Sample<Kind>, Int, Never> {
                let (all, holds) = (Sample<Kind>.all, condition?.condition)
                return count == 1
                    ? YapList(name, of: all, sortedBy: first.order, .ascending(\.id), where: holds)
                    : YapList(name, of: all, sortedBy: first.order, second.order, .ascending(\.id), where: holds)
            }
            let count = 1 + random.below(2)
            self.condition = condition
            orders = Array([first, second].prefix(count)) + [.byID]
            self.list = list("list \(number)", count)
            refilled = list("refilled \(number)", count)
        }

        func expected(_ rows: some Sequence<Sample<Kind>>) -> [Int] {
            rows.filter { condition?.holds($0) ?? true }.sorted { a, b in
                for order in orders {
                    let result = order.compare(a, b)
                    if result != 0 { return result < 0 }
                }
                return false
            }.map(\.id)
        }

        func query(
            _ transaction: YapDatabaseReadTransaction
        ) -> YapQuery<Sample<Kind>, Int, Never, YapDatabaseReadTransaction> {
            let rows = transaction[Sample<Kind>.all]
            var query = condition.map { rows.where($0.condition) } ?? rows.order()
            query.request.orders = orders.map(\.order)
            return query
        }

        var description: String {
            "\(condition?.condition.clause?.description ?? "all"), by \(orders.map { $0.order.description ?? "" })"
        }
    }

    /// In one commit: one for each list would take most of the time of the test.
    private func register<Kind>(_ lists: [YapList<Sample<Kind>, Int, Never>], in database: YapDatabase) throws {
        for list in lists { list.use(in: database) }
        try database.register(lists.flatMap { $0.makeExtensions() })
    }

    private func agree<Kind: Sendable>(_ kind: Kind.Type, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let cases = (0..<Self.casesInOneFile).map { Case<Kind>($0, &random) }
        try withTemporaryDatabase { database throws in
            try database.register(Sample<Kind>.index)
            try register(cases.map(\.list), in: database)
            let connection = try database.newConnection()
            var model: [Int: Sample<Kind>] = [:]
            for _ in 0..<12 {
                try connection.readWrite { transaction throws in
                    for _ in 0..<(1 + random.below(8)) {
                        let id = random.below(40)
                        if random.percent(15) {
                            try transaction[Sample<Kind>.all].remove(id)
                            model[id] = nil
                        } else {
                            let sample = Sample<Kind>.random(id, &random)
                            try transaction[Sample<Kind>.all].save(sample)
                            model[id] = sample
                        }
                    }
                }
            }
            try register(cases.map(\.refilled), in: database)
            try connection.read { transaction throws in
                for one in cases {
                    let expected = one.expected(model.values)
                    let context = Comment(rawValue: "seed \(seed), \(kind): \(one.description)")
                    #expect(try transaction[one.list].values().map(\.id) == expected, context)
                    #expect(try transaction[one.refilled].values().map(\.id) == expected, context)
                    #expect(try one.query(transaction).keys() == expected, context)
                    #expect(try one.query(transaction).count == expected.count, context)
                }
            }
        }
    }
}
