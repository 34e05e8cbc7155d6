import YapDatabase
import Testing

@testable import ChangeScenarios

@Suite struct LogLawTests {
    @Test func theRowsOfALogAreNamedWhereTheLogNamesThem() {
        let rows = LogRows(
            ["A": 3, "B": 1],
            [
                .deleteRow(group: "A", index: 1, key: .lab("k1")), .insertRow(group: "B", index: 0, key: .lab("k1")),
                .updateRow(group: "A", index: 1, key: .lab("k2"), flags: .object), .resetSection(group: "B"),
                .insertRow(group: "B", index: 0, key: .lab("k3")),
            ])
        let unnamed = RowKey(collection: "unnamed", key: "0")
        #expect(
            rows.before == ["A": [unnamed, .lab("k1"), .lab("k2")], "B": [RowKey(collection: "unnamed", key: "3")]])
        #expect(rows.after == ["A": [unnamed, .lab("k2")], "B": [.lab("k3")]])
    }

    @Test func ourAnswersKeepTheLawAndSpoiltOnesDoNot() throws {
        let scenario = LogScenario(
            mappings: MappingsSetup(
                groups: .list(["A"]),
                config: [
                    .range(RangeSetup(kind: .fixed, length: 2, offset: 0, from: .beginning), group: "A")
                ]), counts: ["A": 2], log: [.insertRow(group: "A", index: 0, key: .lab("k"))])
        let result = try scenario.replayed()
        #expect(try result.flaw(of: scenario) == nil)
        var changes: ChangeSet = result.outcome.changeSet
        slidingRowsForgotten(&changes)
        let spoilt = LogResult(before: result.before, mappings: result.mappings, outcome: .changes(changes))
        #expect(try spoilt.flaw(of: scenario)?.text == "it leads to 3 rows in A instead of 2")
    }

    @Test func moreRowsThanCanBeListedAreRefused() throws {
        let scenario = LogScenario(mappings: MappingsSetup(groups: .list(["A"])), counts: ["A": 1 << 40], log: [])
        let result = try scenario.replayed()
        #expect(throws: ScenarioError.self) { try result.flaw(of: scenario) }
    }
}
