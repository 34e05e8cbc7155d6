import TestSupport
import YapDatabase
import Testing

@testable import ChangeScenarios

@Suite struct ShrinkerTests {
    /// A failing random scenario under a deliberately wrong rule is shrunk to a readable size.
    @Test(arguments: Effort.some([1, 2, 3] as [UInt64]))
    func aFailingRandomScenarioBecomesMinimal(seed: UInt64) throws {
        try withScratchFolder { folder in
            let judge = Judge(in: folder, spoiling: moveToTheSamePathAsUpdate)
            let scenario = try #require(Self.failing(from: seed * 1_000, judge))
            let flaw = try #require(judge.flaw(scenario))
            var shrinker = Shrinker(scenario) { judge.flaw($0)?.kind == flaw.kind }
            let smallest = shrinker.shrunk()
            #expect(judge.flaw(smallest)?.kind == flaw.kind)
            #expect(smallest.json.bytes.count * 3 < scenario.json.bytes.count, "\(smallest.json)")
            let spared = smallest.smaller.filter { judge.flaw($0)?.kind == flaw.kind }
            #expect(spared.map(\.json.description) == [], "these are smaller than \(smallest.json) and fail too")
        }
    }

    @Test func theSameScenarioGivesTheSameResult() throws {
        try withScratchFolder { folder in
            let judge = Judge(in: folder, spoiling: slidingRowsForgotten)
            let scenario = try #require(Self.failing(from: 1, judge))
            let kind = judge.flaw(scenario)?.kind
            let results = (0..<2).map { _ in
                var shrinker = Shrinker(scenario) { judge.flaw($0)?.kind == kind }
                return shrinker.shrunk()
            }
            #expect(results[0] == results[1])
        }
    }

    @Test func aLogBecomesMinimalToo() throws {
        let scenario = try Scenario(
            json: JSON(
                text: """
                    {"mappings": {"groups": ["A", "B", "C"], "config": [
                       {"do": "dynamicSection", "group": "A", "value": true},
                       {"do": "dependencies", "group": "C", "offsets": [-1, 2]},
                       {"do": "range", "group": "C", "kind": "fixed", "length": 12, "offset": 3, "from": "end"}]},
                     "counts": {"A": 0, "B": 7, "C": 41}, "log": [
                       {"op": "updateRow", "group": "C", "index": 40, "key": "k9", "changes": ["object"]},
                       {"op": "deleteRow", "group": "B", "index": 0, "key": "k1"},
                       {"op": "insertSection", "group": "A"},
                       {"op": "insertRow", "group": "A", "index": 0, "key": "k1"},
                       {"op": "insertRow", "group": "C", "index": 3, "key": "k2"}]}
                    """))
        try withScratchFolder { folder in
            let judge = Judge(in: folder, spoiling: moveToTheSamePathAsUpdate)
            #expect(Judge(in: folder).flaw(scenario) == nil)
            let flaw = try #require(judge.flaw(scenario))
            var shrinker = Shrinker(scenario) { judge.flaw($0)?.kind == flaw.kind }
            #expect(
                shrinker.shrunk().json.description == """
                    {"mappings":{"groups":["A","B"],"config":[{"do":"dynamicSection","group":"A","value":true}]},\
                    "counts":{"B":1},"log":[{"op":"deleteRow","group":"B","index":0,"key":"k1"},\
                    {"op":"insertRow","group":"A","index":0,"key":"k1"}]}
                    """)
        }
    }

    @Test func numbersComeAsNearToNothingAsTheyMay() throws {
        let scenario = try Scenario(json: JSON(text: #"{"mappings":{"groups":["A"]},"counts":{"A":1000000},"log":[]}"#))
        var shrinker = Shrinker(scenario) { scenario in
            guard case .log(let log) = scenario else { return false }
            return log.counts["A", default: 0] >= 617
        }
        #expect(
            shrinker.shrunk().json
                == (try JSON(text: #"{"mappings":{"groups":[],"config":[]},"counts":{"A":617},"log":[]}"#)))
        #expect(shrinker.attempts < 100)
    }

    @Test func commitsAreJoinedAndOfManyRowsTheOneIsFound() throws {
        let rows = (0..<200).map { RowOperation.row("k\($0)", "A", $0) }
        let scenario = DatabaseScenario(
            mappings: MappingsSetup(groups: .list(["A"])), initial: rows,
            steps: [.init(commits: rows.map { [$0] })])
        var shrinker = Shrinker(.database(scenario)) { scenario in
            guard case .database(let database) = scenario else { return false }
            let named = database.steps.flatMap(\.commits).joined().map(\.words)
            return database.initial.contains { $0.words.hasPrefix("set k77 ") }
                && named.contains { $0.hasPrefix("set k3 ") } && named.contains { $0.hasPrefix("set k150 ") }
        }
        let smallest = shrinker.shrunk()
        guard case .database(let database) = smallest else { return #expect(Bool(false), "a log came out") }
        #expect(database.initial == [.row("k77", nil, 0)])
        #expect(database.steps == [.init(commits: [[.row("k3", nil, 0), .row("k150", nil, 0)]])])
        #expect(shrinker.attempts < 200)
    }

    @Test func stepsThatCanBeOneBecomeOne() throws {
        let step = { (key: String) in DatabaseScenario.Step(commits: [[.row(key, "A", 0)]]) }
        let scenario = DatabaseScenario(
            mappings: MappingsSetup(groups: .list(["A"])), steps: ["k1", "k2", "k3"].map(step))
        var shrinker = Shrinker(.database(scenario)) { scenario in
            guard case .database(let database) = scenario else { return false }
            let edits = database.initial + database.steps.flatMap { $0.commits.joined() }
            return edits.map(\.words) == ["k1", "k2", "k3"].map { RowOperation.row($0, nil, 0).words }
                || edits.map(\.words) == ["k1", "k2", "k3"].map { RowOperation.row($0, "A", 0).words }
        }
        guard case .database(let smallest) = shrinker.shrunk() else { return #expect(Bool(false), "a log came out") }
        #expect(smallest.steps == [] && smallest.initial.count == 3)
    }

    /// Returns the first failing random scenario from a seed on.
    private static func failing(from seed: UInt64, _ judge: Judge) -> Scenario? {
        (seed..<seed + 500).lazy.map { Scenario.database(.random(seed: $0)) }.first { judge.flaw($0) != nil }
    }
}
