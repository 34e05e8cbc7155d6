import Foundation
import Testing

@Suite struct LawTests {
    /// The seed of the first history; the others follow. `YAP_FUZZ_SEED` sets it.
    private static let environment = ProcessInfo.processInfo.environment
    private static let firstSeed = environment["YAP_FUZZ_SEED"].flatMap(UInt64.init)

    /// Ten steps each; about one in thirty is not a transaction. Each run has other histories.
    @Test func twentyThousandRandomTransactionsKeepTheLaw() {
        let first = Self.firstSeed ?? UInt64.random(in: 1...1_000_000_000)
        for seed in first..<first + Effort.cases(2_080) where !keepsTheLaw(seed: seed, steps: 10) { return }
    }

    @Test(.enabled(if: environment["YAP_FUZZ_SECONDS"] != nil))
    func randomTransactionsKeepTheLawForAsLongAsOneLikes() {
        let seconds = Self.environment["YAP_FUZZ_SECONDS"].flatMap(Double.init) ?? 60
        let first = Self.firstSeed ?? UInt64.random(in: 1...1_000_000_000)
        let end = ContinuousClock.now + .seconds(seconds)
        var seed = first
        while ContinuousClock.now < end, keepsTheLaw(seed: seed, steps: 10) { seed += 1 }
        print("\((seed - first) * 10) transactions from YAP_FUZZ_SEED=\(first) on")
    }

    private func keepsTheLaw(seed: UInt64, steps: Int) -> Bool {
        var history = History(seed: seed)
        for step in 0..<steps {
            let (problems, scenario) = history.step()
            guard !problems.isEmpty else { continue }
            Issue.record("YAP_FUZZ_SEED=\(seed), step \(step):\n\(problems.joined(separator: "\n"))\n\(scenario)")
            return false
        }
        return true
    }
}
