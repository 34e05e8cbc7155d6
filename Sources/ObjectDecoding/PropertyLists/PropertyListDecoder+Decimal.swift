import ByteFormats
import Foundation

extension PropertyListDecoder {
    /// Decodes an `NSDecimalNumber`: an integer of eight 16-bit digits, the lowest first, and a power of ten.
    mutating func decimal(_ children: PropertyListObject.Children) -> DecodedValue? {
        guard case .data(let piece)? = target("NS.mantissa", children), piece.byteCount == 16,
            case .integer(let exponent)? = target("NS.exponent", children), abs(exponent) <= 128,
            case .bool(let isNegative)? = target("NS.negative", children)
        else { return nil }
        let isBigEndian = if case .integer(1)? = target("NS.mantissa.bo", children) { false } else { true }
        let bytes = source.data(piece)
        var mantissa: UInt128 = 0
        for digit in stride(from: 14, through: 0, by: -2) {
            let (first, second) = (UInt128(bytes[digit]), UInt128(bytes[digit + 1]))
            mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        return .number(Self.text(mantissa, exponent: Int(exponent), isNegative: isNegative))
    }

    private static func text(_ mantissa: UInt128, exponent: Int, isNegative: Bool) -> String {
        var digits = String(mantissa)
        if exponent >= 0 {
            if mantissa != 0 { digits += String(repeating: "0", count: exponent) }
        } else {
            if digits.count <= -exponent {
                digits = String(repeating: "0", count: 1 - exponent - digits.count) + digits
            }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
        }
        return (isNegative ? "-" : "") + digits
    }
}
