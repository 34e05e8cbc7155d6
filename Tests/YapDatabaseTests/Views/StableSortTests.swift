import Testing

@testable import YapDatabase

@Suite struct StableSortTests {
    @Test(arguments: [1, 2, 3])
    func equalElementsKeepTheirOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for count in Array(0..<40) + [1_000, 1_500, 9_000] {
            let elements = (0..<count).map { (value: Int.random(in: 0..<9, using: &random), place: $0) }
            let expected = elements.sorted { ($0.value, $0.place) < ($1.value, $1.place) }
            let sorted = elements.stablySorted { $0.value < $1.value }
            #expect(sorted.map(\.place) == expected.map(\.place), "seed \(seed), \(count) elements")
        }
    }

    @Test func anOrderThatContradictsItselfLosesNothing() {
        var random = SplitMix64(seed: 4)
        for count in Array(0..<200) + [3_000, 10_000] {
            let sorted = (0..<count).map { $0 }.stablySorted { _, _ in Bool.random(using: &random) }
            #expect(sorted.sorted() == Array(0..<count))
        }
    }

    @Test func whatIsInOrderIsLookedAtOnce() {
        var comparisons = 0
        _ = (0..<1_000).map { $0 }.stablySorted {
            comparisons += 1
            return $0 < $1
        }
        #expect(comparisons < 1_000)
    }

    @Test func whatIsInReverseOrderIsLookedAtOnce() {
        var comparisons = 0
        let sorted = Array((0..<1_000).reversed()).stablySorted {
            comparisons += 1
            return $0 < $1
        }
        #expect(sorted == Array(0..<1_000))
        #expect(comparisons < 1_000)
    }

    @Test func runsThatAreInOrderAreMerged() {
        var comparisons = 0
        let elements = (0..<1_000).map { $0 % 250 * 4 + $0 / 250 }
        let sorted = elements.stablySorted {
            comparisons += 1
            return $0 < $1
        }
        #expect(sorted == Array(0..<1_000))
        #expect(comparisons < 3_010)
    }
}
