import Foundation
import ListChanges
import Testing

@testable import YapDatabase

/// What single conditions and orders mean.
@Suite struct FieldMeaningTests {
    private typealias Value = Sample<Unpromised>

    private func sample(_ id: Int, _ change: (inout Value) -> Void = { _ in }) -> Value {
        var random = SplitMix64(seed: 1)
        var value = Value.random(id, &random)
        (value.text, value.maybeText, value.score, value.maybeScore) = ("", nil, 0, nil)
        change(&value)
        return value
    }

    /// The ids that a list and a query find.
    private func found(_ values: [Value], _ condition: YapCondition<Value>) throws -> [Int] {
        let list = YapList("list", of: Value.all, sortedBy: .ascending(\.id), where: condition)
        return try withTemporaryDatabase { database throws in
            try database.register(list, Value.index)
            return try database.newConnection().readWrite { transaction throws in
                try transaction[Value.all].save(values)
                let ids = try transaction[list].values().map(\.id)
                #expect(try transaction[Value.all].where(condition).order(.ascending(\.id)).keys() == ids)
                return ids
            }
        }
    }

    @Test func aLiteralAndAVariableAreOneCondition() throws {
        let values = [sample(1), sample(2) { $0.maybeText = "x" }, sample(3) { $0.maybeText = "y" }]
        let (plain, optional, missing) = ("x", String?("x"), String?.none)
        let different: [YapCondition<Value>] = [
            \.maybeText != "x", \.maybeText != plain, \.maybeText != optional, !(\.maybeText == "x"),
            !(\.maybeText == plain),
            !(\.maybeText ~= ["x"]), !(\.maybeText ~= [plain]),
        ]
        for condition in different { #expect(try found(values, condition) == [1, 3]) }
        #expect(Set(different[..<5].map { $0.clause?.description }).count == 1)
        #expect(try found(values, \.maybeText == missing) == [1] && found(values, \.maybeText != missing) == [2, 3])
        #expect(try found(values, \.maybeText != "x" && \.maybeText != nil) == [3])
        #expect(try found(values, \.maybeText ~= "a"..."x") == [2])
    }

    @Test func textsAreEqualIfTheirBytesAre() throws {
        let values = ["é", "e\u{301}", "e", ""].enumerated().map { id, text in sample(id) { $0.text = text } }
        #expect(try found(values, \.text == "é") == [0] && found(values, \.text == "e\u{301}") == [1])
        #expect(try found(values, \.text != "é") == [1, 2, 3] && found(values, \.text ~= ["é", ""]) == [0, 3])
        #expect(try found(values, \.text > "e\u{301}") == [0] && found(values, \.text <= "e\u{301}") == [1, 2, 3])
    }

    /// In memory and in files a tag is that of one spelling.
    @Test func aListOfAnotherSpellingIsFilledAgain() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            func ids(_ text: String) throws -> [Int] {
                let database = try YapDatabase(url: url, options: .forTests)
                defer { try? database.close() }
                let list = try database.register(YapList("list", of: Value.all, where: \.text == text))
                return try database.newConnection().readWrite { transaction throws in
                    try transaction[Value.all].save([sample(1) { $0.text = "é" }, sample(2) { $0.text = "e\u{301}" }])
                    return try transaction[list].values().map(\.id)
                }
            }
            #expect(try ids("é") == [1])
            #expect(try ids("e\u{301}") == [2])
        }
    }

    @Test func tagsTellAllValuesApart() {
        let times = [0, 0.001, .infinity, -.infinity].map { Date(timeIntervalSinceReferenceDate: $0) }
        let tags = times.map { YapList("list", of: Value.all, where: \.date == $0).versionTag }
        #expect(Set(tags.map(ExactString.init)).count == times.count)
    }

    @Test func whatIsNotANumberComesLast() throws {
        let numbers: [Double?] = [2, .nan, 1, nil, .infinity, -.infinity]
        let values = numbers.enumerated().map { id, number in
            sample(id) { ($0.maybeScore, $0.score) = (number, number ?? 0) }
        }
        try withTemporaryDatabase { database throws in
            try database.register(Value.index)
            try database.newConnection().readWrite { transaction throws in
                let rows = transaction[Value.all]
                try rows.save(values)
                #expect(try rows.order(.ascending(\.maybeScore)).keys() == [3, 5, 2, 0, 4, 1])
                #expect(try rows.order(.descending(\.maybeScore)).keys() == [4, 0, 2, 5, 1, 3])
                #expect(try rows.order(.descending(\.maybeScore, nil: .first)).keys() == [3, 4, 0, 2, 5, 1])
                #expect(try rows.where(\.maybeScore == nil).keys() == [3])
                #expect(try rows.where(\.maybeScore != .nan).count == 6 && rows.where(\.maybeScore == .nan).count == 0)
                #expect(try rows.order(.descending(\.score)).keys().last == 1)
            }
        }
    }

    @Test func ordersUseTheColumnsIndex() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Value.index)
            try database.newConnection().readWrite { transaction throws in
                let rows = transaction[Value.all]
                try rows.save(sample(1) { $0.maybeScore = 1 })
                let orders: [YapOrder<Value>] = [
                    .ascending(\.score), .descending(\.score), .ascending(\.maybeScore), .descending(\.maybeScore),
                    .descending(\.maybeScore, nil: .first), .ascending(\.date), .ascending(\.text),
                ]
                for order in orders {
                    let plan = try rows.order(order).limit(1).explain()
                    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(order.description ?? ""): \(plan)")
                }
            }
        }
    }
}
