import TestSupport
import Testing

@testable import YapDatabase

@Suite struct StableSortTests {
    @Test(arguments: Effort.some([1, 2, 3] as [UInt64]))
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

    /// Few numbers and many, in ranges that take no, one and all passes.
    @Test(arguments: Effort.some([UInt64](1...20)))
    func numbersAreSortedAsByComparisons(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = [0, 1, 511, 512, 5_000].randomElement(using: &random)!
        let least = [0, 1 << 63, UInt64.max - 3_000].randomElement(using: &random)!
        let width = [0, 1, 2_047, 2_048, UInt64.max - least].randomElement(using: &random)!
        let range = least...(least + min(width, UInt64.max - least))
        let numbers = (0..<count).map { IndexedNumber(UInt64.random(in: range, using: &random), Int32($0)) }
        let wanted = numbers.stablySorted { $0.number < $1.number }
        var sorted = numbers
        sorted.radixSort()
        #expect(sorted.map(\.index) == wanted.map(\.index), "seed \(seed), \(count) numbers in \(range)")
    }
}
