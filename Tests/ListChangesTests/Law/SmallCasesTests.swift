import Foundation
import ListChanges
import Testing

/// Every sequence of up to two edits on up to four rows in two groups, and of up to three in one group, under every
/// combination of range kind, pin, offset 0 to 2, length 1 to 3, reversal and dynamic section.
@Suite struct SmallCasesTests {
    /// The whole takes minutes: ``Effort`` says how much is played, selected by `YAP_FUZZ_SEED`. `YAP_FUZZ=1` runs all.
    @Test(arguments: SmallCases.lengths, Effort.some([0, 1, 2, 3]))
    func everySmallCaseKeepsTheLaw(lengths: [Int], quarter: Int) {
        let environment = ProcessInfo.processInfo.environment
        let playsAll = environment["YAP_FUZZ"] == "1"
        let seed = environment["YAP_FUZZ_SEED"].flatMap(UInt64.init) ?? 2_026
        var random = SplitMix64(seed: seed &+ UInt64(quarter))
        let setups = SmallCases.setups.enumerated().filter { $0.offset % 4 == quarter }.map(\.element)
        let stages = setups.map { Stage(lengths, $0) }
        // One of so many is played, on the average.
        let rarity = playsAll ? 1 : 10_000 / Effort.cases(200)
        var next = 0
        SmallCases.forEachCourse(of: lengths, depth: lengths.count == 1 ? 3 : 2) { course in
            defer { next -= stages.count }
            while next < stages.count {
                let stage = stages[next]
                next += playsAll ? 1 : 1 + random.below(2 * rarity - 1)
                var jump = Jump(engine: stage.engine, naive: stage.naive, course: course, newGroups: nil)
                let problems = jump.run()
                guard !problems.isEmpty else { continue }
                let scenario = logScenario(stage.engine, course)
                Issue.record("YAP_FUZZ_SEED=\(seed):\n\(problems.joined(separator: "\n"))\n\(scenario)")
                return false
            }
            return true
        }
    }

    /// Configured mappings with counts.
    private struct Stage {
        var engine: Mappings
        var naive: NaiveMappings

        init(_ lengths: [Int], _ calls: [Scenario.Call]) {
            engine = Mappings(groups: Array(ModelList.names.prefix(lengths.count)))
            naive = NaiveMappings(isDynamic: false, groups: Array(lengths.indices))
            for call in calls {
                engine.perform(call)
                naive.perform(call)
            }
            let counts = lengths + Array(repeating: 0, count: 4 - lengths.count)
            engine.update(counts: Dictionary(uniqueKeysWithValues: zip(ModelList.names, counts)))
            naive.update(nil, counts)
        }
    }
}
