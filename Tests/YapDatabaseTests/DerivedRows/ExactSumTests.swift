import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// Sums that do not depend on the order, beside arithmetic with whole numbers of any size.
@Suite struct ExactSumTests {
    private static func number(_ random: inout SplitMix64) -> Double {
        switch random.below(10) {
        case 0: Double(random.below(1_000)) / 4
        case 1: Double.leastNonzeroMagnitude * Double(random.below(1 << 20))
        case 2: Double(bitPattern: random.next())
        case 3: -Double.greatestFiniteMagnitude / Double(1 + random.below(4))
        case 4: Double.greatestFiniteMagnitude / Double(1 + random.below(4))
        default:
            Double(
                sign: random.percent(50) ? .plus : .minus, exponent: random.below(120) - 60,
                significand: 1 + Double(random.below(1 << 30)) / Double(1 << 30))
        }
    }

    /// The sum is the same in each order, and what is taken away leaves no trace.
    @Test(arguments: [1, 2, 3] as [UInt64]) func theOrderDoesNotMatter(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for step in 0..<Effort.cases(20_000) {
            let numbers = (0..<random.below(12)).map { _ in Self.number(&random) }
            let others = (0..<random.below(6)).map { _ in Self.number(&random) }
            var sum = ExactSum()
            for number in numbers { sum.add(number) }
            var other = ExactSum()
            for number in others { other.add(number) }
            for number in numbers.reversed() { other.add(number) }
            for number in others { other.subtract(number) }
            #expect(sum == other, "seed \(seed), step \(step): \(numbers), \(others)")
            #expect(sum.value == other.value || sum.value.isNaN && other.value.isNaN)
            for number in numbers { sum.subtract(number) }
            #expect(sum == ExactSum(), "seed \(seed), step \(step): \(numbers)")
        }
    }

    /// Sums that fit into 128 bits, rounded as the nearest `Double`.
    @Test(arguments: [4, 5] as [UInt64]) func theValueIsTheNearest(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for step in 0..<Effort.cases(20_000) {
            var (sum, exact) = (ExactSum(), Int128(0))
            for _ in 0..<random.below(20) {
                let significand = Int64(random.below(1 << 53)) - 1 << 52
                let shift = random.below(60)
                exact += Int128(significand) << Int128(shift)
                sum.add(Double(sign: .plus, exponent: shift, significand: Double(significand)))
            }
            #expect(sum.value == Double(exact), "seed \(seed), step \(step): \(exact)")
        }
    }

    @Test func whatIsNoNumber() {
        var sum = ExactSum()
        sum.add(1)
        sum.add(.infinity)
        #expect(sum.value == .infinity)
        sum.add(-.infinity)
        #expect(sum.value.isNaN)
        sum.subtract(.infinity)
        #expect(sum.value == -.infinity)
        sum.subtract(-.infinity)
        sum.add(.nan)
        #expect(sum.value.isNaN)
        sum.subtract(.nan)
        #expect(sum.value == 1)
        var tiny = ExactSum()
        for _ in 0..<10 { tiny.add(.leastNonzeroMagnitude) }
        #expect(tiny.value == 10 * .leastNonzeroMagnitude)
        var large = ExactSum()
        large.add(.greatestFiniteMagnitude)
        large.add(.greatestFiniteMagnitude)
        #expect(large.value == .infinity)
        large.subtract(.greatestFiniteMagnitude)
        #expect(large.value == .greatestFiniteMagnitude)
    }

    /// What is read back is the same, and bytes that are no sum are an error.
    @Test func aSumIsStored() throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<200 {
            var sum = ExactSum()
            for _ in 0..<random.below(9) { sum.add(Self.number(&random)) }
            let bytes = try YapDatabaseCodableFormat.propertyList.encode(sum)
            #expect(try PropertyListDecoder().decode(ExactSum.self, from: bytes) == sum)
        }
        for digits in [[], [1, 2], [-1, 0, 0, 0], [0, 0, 0, 0, -1, 5], [0, 0, 0, 0, .max], [99, 0, 0, 0]] as [[Int64]] {
            let bytes = try JSONEncoder().encode(digits)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(ExactSum.self, from: bytes) }
        }
    }
}
