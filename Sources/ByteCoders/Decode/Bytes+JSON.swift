import Foundation

extension UnsafeRawBufferPointer {
    /// The number of a decimal text that needs one rounding at most: up to 2^53 as digits, and a power of ten that a Double
    /// holds exactly (Clinger's fast path). Nil for every other one.
    var shortDecimal: Double? {
        var (place, mantissa, scale, digits) = (0, 0 as UInt64, 0, 0)
        let isNegative = first == UInt8(ascii: "-")
        if isNegative { place = 1 }
        var isFraction = false
        while place < count {
            let byte = self[place]
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte &- 0x30 < 10 {
                mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
                digits += 1
                if isFraction { scale += 1 }
            } else {
                return nil
            }
            place += 1
        }
        guard digits < 19, mantissa <= 1 << 53, scale <= 22 else { return nil }
        let number = Double(mantissa) / powersOfTen[scale]
        return isNegative ? -number : number
    }

    /// Whether the decimal text of a number has no digit but zeros before its exponent. Foundation refuses numbers that are not
    /// zero and too small for their type.
    var isZero: Bool {
        for byte in self {
            if byte | 0x20 == UInt8(ascii: "e") { return true }
            if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) { return false }
        }
        return true
    }
}

private let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21,
    1e22,
]
