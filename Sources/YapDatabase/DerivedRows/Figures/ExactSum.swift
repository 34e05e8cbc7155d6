/// The exact sum of any `Double`s: the same whatever the order in which they are added and taken away again, rounded once when it is read.
///
/// A whole number of the least `Double`, 2^-1074, in digits to the base 2^32: an addition changes three digits and carries.
struct ExactSum: Equatable, Sendable {
    /// Digits from the least on: all but the last in `0..<2^32`, the last one with the sign. The least is not 0, and no shorter array says the same.
    private(set) var digits: [Int64] = []
    /// The place of the first digit.
    private(set) var lowest = 0
    /// How many of what was added are no finite numbers.
    private var (nans, infinities, negativeInfinities) = (0, 0, 0)

    mutating func add(_ value: Double) { add(value, 1) }

    /// Takes away what was added.
    mutating func subtract(_ value: Double) { add(value, -1) }

    private mutating func add(_ value: Double, _ count: Int) {
        guard value.isFinite else {
            // The numbers before may come out of a damaged file.
            if value.isNaN {
                nans &+= count
            } else if value > 0 {
                infinities &+= count
            } else {
                negativeInfinities &+= count
            }
            return
        }
        if value == 0 { return }
        let exponent = Int(value.exponentBitPattern)
        let significand = value.significandBitPattern | (exponent > 0 ? 1 << 52 : 0)
        let (place, shift) = (max(exponent, 1) - 1).quotientAndRemainder(dividingBy: 32)
        let wide = UInt128(significand) << UInt128(shift)
        let sign: Int64 = (value < 0) != (count < 0) ? -1 : 1
        makeRoom(for: place..<place + 4)
        for part in 0..<3 {
            digits[place + part - lowest] +=
                sign * Int64(truncatingIfNeeded: (wide >> UInt128(32 * part)) & 0xffff_ffff)
        }
        normalize()
    }

    private mutating func makeRoom(for places: Range<Int>) {
        if digits.isEmpty { lowest = places.lowerBound }
        if places.lowerBound < lowest {
            digits.insert(contentsOf: repeatElement(0, count: lowest - places.lowerBound), at: 0)
            lowest = places.lowerBound
        }
        let missing = places.upperBound - (lowest + digits.count)
        if missing > 0 { digits.append(contentsOf: repeatElement(0, count: missing)) }
    }

    private mutating func normalize() {
        for index in 0..<digits.count - 1 {
            digits[index + 1] += digits[index] >> 32
            digits[index] &= 0xffff_ffff
        }
        while digits.count > 1, let last = digits.last, last == 0 || last == -1 {
            digits.removeLast()
            // Not 0, because a digit below 2^32 takes the sign.
            if last == -1 { digits[digits.count - 1] -= 1 << 32 }
        }
        while digits.first == 0 {
            digits.removeFirst()
            lowest += 1
        }
        if digits.isEmpty { lowest = 0 }
    }

    /// Whether so many rows may have this sum. One that they cannot have was damaged.
    func canBeSum(of rows: Int) -> Bool {
        [nans, infinities, negativeInfinities].allSatisfy { 0...rows ~= $0 }
    }

    /// The sum, rounded to the nearest `Double`. What is not a number makes it one, as do infinities of both signs.
    var value: Double {
        if nans > 0 || infinities > 0 && negativeInfinities > 0 { return .nan }
        if infinities > 0 { return .infinity }
        if negativeInfinities > 0 { return -.infinity }
        guard let last = digits.last else { return 0 }
        return last < 0 ? -magnitude(of: digits.map { -$0 }) : magnitude(of: digits)
    }

    private func magnitude(of signed: [Int64]) -> Double {
        var digits = signed
        for index in 0..<digits.count - 1 {
            digits[index + 1] += digits[index] >> 32
            digits[index] &= 0xffff_ffff
        }
        while digits.count > 1, digits.last == 0 { digits.removeLast() }
        func digit(_ index: Int) -> UInt64 { digits.indices.contains(index) ? UInt64(digits[index]) : 0 }
        let top = digits.count - 1
        // The place of the highest bit, counted from that of the least `Double`.
        let highest = 32 * (lowest + top) + 63 - digit(top).leadingZeroBitCount
        let least = max(0, highest - 52)
        var significand: UInt64 = 0
        var rest: (half: Bool, below: Bool) = (false, false)
        for index in digits.indices {
            let place = 32 * (lowest + index) - least
            if place >= 0 {
                significand += digit(index) << UInt64(place)
            } else if place > -32 {
                significand += digit(index) >> UInt64(-place)
                let cut = digit(index) & ((1 << UInt64(-place)) - 1)
                let half = UInt64(1) << UInt64(-place - 1)
                rest = (cut & half != 0, rest.half || rest.below || cut & (half - 1) != 0)
            } else if place == -32 {
                rest = (digit(index) & 0x8000_0000 != 0, rest.half || rest.below || digit(index) & 0x7fff_ffff != 0)
            } else {
                rest = (false, rest.half || rest.below || digit(index) != 0)
            }
        }
        if rest.half, rest.below || significand & 1 == 1 { significand += 1 }
        return Double(sign: .plus, exponent: least - 1074, significand: Double(significand))
    }
}

extension ExactSum: Codable {
    init(from decoder: any Decoder) throws {
        let values = try [Int64](from: decoder)
        guard values.count >= 4, values[0] >= 0, values[0] < 80, values.count < 100 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "These are not the digits of a sum."))
        }
        lowest = Int(values[0])
        (nans, infinities, negativeInfinities) = (Int(values[1]), Int(values[2]), Int(values[3]))
        digits = Array(values[4...])
        let isValid =
            digits.dropLast().allSatisfy { 0..<1 << 32 ~= $0 } && digits.last.map { -1 << 32..<1 << 32 ~= $0 } ?? true
        guard isValid else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "A digit of a sum is out of range."))
        }
    }

    func encode(to encoder: any Encoder) throws {
        try ([Int64(lowest), Int64(nans), Int64(infinities), Int64(negativeInfinities)] + digits).encode(to: encoder)
    }
}
