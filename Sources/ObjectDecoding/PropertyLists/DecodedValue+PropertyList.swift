import Foundation

extension DecodedValue {
    /// Returns an integer of 16 bytes.
    static func wide(high: Int64, low: UInt64) -> DecodedValue {
        if high == 0 { return low <= UInt64(Int64.max) ? .integer(Int64(low)) : .unsigned(low) }
        let number = Int128(high) << 64 | Int128(low)
        return Int64(exactly: number).map(DecodedValue.integer) ?? .number(String(number))
    }

    /// Returns the date at a number of seconds since 2001.
    static func date(seconds: Double) -> DecodedValue { .date(Date(timeIntervalSinceReferenceDate: seconds)) }
}
