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

    /// The text between the quotation marks of a JSON string; nil if it is not valid.
    var unescapedJSON: String? {
        guard contains(UInt8(ascii: "\\")) else { return String(validating: self, as: UTF8.self) }
        var text = Data(capacity: count)
        var place = 0
        while place < count {
            guard self[place] == UInt8(ascii: "\\") else {
                text.append(self[place])
                place += 1
                continue
            }
            guard place + 1 < count else { return nil }
            place += 2
            switch self[place - 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(self[place - 1])
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0c)
            case UInt8(ascii: "n"): text.append(0x0a)
            case UInt8(ascii: "r"): text.append(0x0d)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(&place) else { return nil }
                text.append(contentsOf: UTF8.encode(scalar)!)
            default: return nil
            }
        }
        return String(validating: text, as: UTF8.self)
    }

    /// The scalar of four hexadecimal digits, or of a pair of surrogates.
    private func scalar(_ place: inout Int) -> Unicode.Scalar? {
        guard let first = unit(&place) else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard place + 2 <= count, self[place] == UInt8(ascii: "\\"), self[place + 1] == UInt8(ascii: "u") else {
            return nil
        }
        place += 2
        guard let second = unit(&place), UTF16.isTrailSurrogate(second) else { return nil }
        return Unicode.Scalar(0x1_0000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
    }

    private func unit(_ place: inout Int) -> UInt16? {
        guard place + 4 <= count else { return nil }
        var unit: UInt16 = 0
        for byte in self[place..<place + 4] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(byte - 0x57)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(byte - 0x37)
            default: return nil
            }
        }
        place += 4
        return unit
    }
}

private let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21,
    1e22,
]
