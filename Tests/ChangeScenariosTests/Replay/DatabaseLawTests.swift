import Foundation
import TestSupport
import Testing

@testable import ChangeScenarios

@Suite struct DatabaseLawTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The seed of the first scenario; the others follow. `YAP_FUZZ_SEED` sets it.
    private static let firstSeed = environment["YAP_FUZZ_SEED"].flatMap(UInt64.init)

    @Test func randomScenariosKeepTheLawOnARealDatabase() throws {
        let first = Self.firstSeed ?? 2_026
        try withScratchFolder { folder in
            for seed in first..<first + 300 where !keepsTheLaw(.random(seed: seed), in: folder) { return }
        }
    }

    /// Each list is what is computed from scratch, and each change-set leads there.
    @Test(arguments: Effort.some([UInt64](1...20)))
    func randomListsOverRelatedRowsKeepTheLaw(part: UInt64) throws {
        try withScratchFolder { folder in
            for seed in part * 1_000..<part * 1_000 + 25 where !keepsTheLaw(.randomRelated(seed: seed), in: folder) {
                return
            }
        }
    }

    /// `./run fuzz` runs it for `SECONDS`.
    @Test(.enabled(if: environment["YAP_FUZZ_SECONDS"] != nil))
    func randomFuzzScenariosKeepTheLawForAsLongAsOneLikes() throws {
        let first = Self.firstSeed ?? UInt64.random(in: 1...1_000_000_000)
        let seconds = Self.environment["YAP_FUZZ_SECONDS"].flatMap(Double.init) ?? 60
        let end = ContinuousClock.now + .seconds(seconds)
        var transactions = 0
        try withScratchFolder { folder in
            var seed = first
            while ContinuousClock.now < end {
                let scenario: DatabaseScenario = seed % 2 == 0 ? .random(seed: seed) : .randomRelated(seed: seed)
                seed += 1
                guard keepsTheLaw(scenario, in: folder) else { return }
                transactions += 1 + scenario.steps.reduce(0) { $0 + $1.commits.count }
            }
        }
        print("\(transactions) transactions on a database from YAP_FUZZ_SEED=\(first) on")
    }

    private func keepsTheLaw(_ scenario: DatabaseScenario, in folder: ScratchFolder) -> Bool {
        do {
            let flaws = try folder.withDatabaseURL { try scenario.replayed(at: $0).flaws(of: scenario) }
            #expect(flaws == [], "\(scenario.json)")
            return flaws == []
        } catch {
            Issue.record("\(error) \(scenario.json)")
            return false
        }
    }

    @Test func aBrokenLawIsSeen() throws {
        let scenario = DatabaseScenario.random(seed: 2)
        let result = try withScratchFolder { folder in
            try folder.withDatabaseURL { try scenario.replayed(at: $0) }
        }
        let moved = try #require(result.steps.firstIndex { !$0.outcome.changeSet.rowChanges.isEmpty })
        var steps = result.steps
        steps[moved] = DatabaseResult.Step(
            before: steps[moved].before, after: steps[moved].after, notifications: 1, hasChanges: true, outcome: .none)
        #expect(DatabaseResult(initial: result.initial, steps: steps).flaws(of: scenario) != [])
    }
}
