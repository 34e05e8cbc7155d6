import Foundation
import Testing

@testable import AnimationLab

@Suite struct DatabaseLawTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The seed of the first scenario; the others follow. `YAP_FUZZ_SEED` sets it.
    private static let firstSeed = environment["YAP_FUZZ_SEED"].flatMap(UInt64.init)

    @Test func randomScenariosKeepTheLawOnARealDatabase() throws {
        let first = Self.firstSeed ?? 2_026
        try withScratchFolder { folder in
            for seed in first..<first + 300 { try check(seed: seed, in: folder) }
        }
    }

    /// `./run fuzz` runs it for `SECONDS`.
    @Test(.enabled(if: environment["YAP_FUZZ_SECONDS"] != nil))
    func randomFuzzScenariosKeepTheLawForAsLongAsOneLikes() throws {
        let first = Self.firstSeed ?? UInt64.random(in: 1...1_000_000_000)
        let seconds = Self.environment["YAP_FUZZ_SECONDS"].flatMap(Double.init) ?? 60
        let end = ContinuousClock.now + .seconds(seconds)
        var seed = first
        var transactions = 0
        try withScratchFolder { folder in
            while ContinuousClock.now < end {
                transactions += try check(seed: seed, in: folder)
                seed += 1
            }
        }
        print("\(transactions) transactions on a database from YAP_FUZZ_SEED=\(first) on")
    }

    /// - Returns: the number of transactions.
    @discardableResult
    private func check(seed: UInt64, in folder: ScratchFolder) throws -> Int {
        let scenario = DatabaseScenario.random(seed: seed)
        let result = try folder.withDatabaseURL { try scenario.replayed(at: $0) }
        #expect(result.problems(of: scenario) == [], "YAP_FUZZ_SEED=\(seed): \(scenario.json)")
        return 1 + scenario.steps.reduce(0) { $0 + $1.commits.count }
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
        #expect(DatabaseResult(initial: result.initial, steps: steps).problems(of: scenario) != [])
    }
}
