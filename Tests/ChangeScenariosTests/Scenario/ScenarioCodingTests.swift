import ListChanges
import TestSupport
import Testing

@testable import ChangeScenarios

@Suite struct ScenarioCodingTests {
    @Test(arguments: Effort.some([UInt64](1...200)))
    func aRandomScenarioIsReadBackAsItWasWritten(seed: UInt64) throws {
        let scenario = Scenario.database(.random(seed: seed))
        #expect(try Scenario(line: scenario.json.bytes) == scenario)
    }

    @Test(arguments: Effort.some([UInt64](1...100)))
    func aListOverRelatedRowsIsReadBackAsItWasWritten(seed: UInt64) throws {
        let scenario = Scenario.database(.randomRelated(seed: seed))
        #expect(try Scenario(line: scenario.json.bytes) == scenario)
    }

    @Test func aLogScenarioIsReadBackAsItWasWritten() throws {
        let key = RowKey(collection: "other", key: "k")
        let scenario = Scenario.log(
            LogScenario(
                id: "log", mappings: MappingsSetup(groups: .list(["A"])), counts: ["A": 1],
                log: [
                    .insertSection(group: "B"), .insertRow(group: "B", index: 0, key: key),
                    .updateRow(group: "B", index: 0, key: key, flags: [.object, .metadata]),
                    .deleteRow(group: "B", index: 0, key: key), .deleteSection(group: "B"), .resetSection(group: "A"),
                ],
                finalCounts: ["A": 0]))
        #expect(try Scenario(line: scenario.json.bytes) == scenario)
    }

    @Test func aLineOfTheVectorsIsItsScenario() throws {
        let inner = #"{"id":"x","mappings":{"groups":["A"],"config":[]},"initial":[],"steps":[]}"#
        let line = #"{"scenario":\#(inner),"expected":{},"originalProblems":[]}"#
        #expect(try Scenario(line: Array(line.utf8)) == Scenario(line: Array(inner.utf8)))
    }

    @Test func whatMayBeLeftOutHasTheDocumentedMeaning() throws {
        let line = #"""
            {"mappings":{"dynamicGroups":true},"steps":[{"commits":[[{"op":"set","key":"k","sort":1,"text":"t"},
            {"op":"set","key":"k","group":null,"sort":2.0,"text":"t","metadata":null}]]}]}
            """#
        let expected = DatabaseScenario(
            mappings: MappingsSetup(groups: .dynamic(filter: nil, order: .ascending)),
            steps: [
                DatabaseScenario.Step(commits: [
                    [
                        .set(RowKey(collection: "c", key: "k"), LabRow(group: nil, sort: 1, text: "t"), metadata: nil),
                        .set(RowKey(collection: "c", key: "k"), LabRow(group: nil, sort: 2, text: "t"), metadata: nil),
                    ]
                ])
            ])
        #expect(try Scenario(line: Array(line.utf8)) == .database(expected))
    }

    @Test(arguments: ["mappings", "scenario"])
    func configurationAfterTheUpdateMayBeAskedForInBothPlaces(place: String) throws {
        let flag = #","configAfterUpdate":true"#
        let line =
            #"{"mappings":{"groups":["A"]\#(place == "mappings" ? flag : "")},"steps":[]\#(place == "scenario" ? flag : "")}"#
        guard case .database(let scenario) = try Scenario(line: Array(line.utf8)) else { fatalError("\(line)") }
        #expect(scenario.mappings.configAfterUpdate)
    }
}
