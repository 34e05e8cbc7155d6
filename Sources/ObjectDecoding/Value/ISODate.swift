import Foundation

/// Dates as text in UTC, with as many digits as are needed to read the same date back.
package enum ISODate {
    /// Returns `2016-11-05T00:53:20Z`, with a fraction of 3, 6 or 9 digits if there is one, and with a sign and six
    /// digits for years beyond 0 to 9999. Nil beyond 999,999 years from now, and for NaN and infinities.
    package static func text(_ date: Date, separator: Unicode.Scalar = "T", zone: StaticString = "Z") -> String? {
        var bytes: [UInt8] = []
        guard append(date.timeIntervalSinceReferenceDate, to: &bytes, separator: separator, zone: zone) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of a date given in seconds since 2001; returns false and appends nothing if `text` would return
    /// nil.
    static func append(
        _ seconds: Double, to bytes: inout [UInt8], separator: Unicode.Scalar = "T", zone: StaticString = "Z"
    ) -> Bool {
        guard abs(seconds) < 3.1e13 else { return false }
        var whole = Int(seconds.rounded(.down))
        let fraction = fraction(seconds - Double(whole), of: seconds, &whole)
        let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        let second = whole - days * 86_400
        let date = CivilDate(daysSince2001: days)
        append(year: date.year, to: &bytes)
        append("-", date.month, 2, to: &bytes)
        append("-", date.day, 2, to: &bytes)
        append(separator, second / 3_600, 2, to: &bytes)
        append(":", second / 60 % 60, 2, to: &bytes)
        append(":", second % 60, 2, to: &bytes)
        if let fraction { append(".", fraction.value, fraction.digits, to: &bytes) }
        bytes.append(contentsOf: UnsafeBufferPointer(start: zone.utf8Start, count: zone.utf8CodeUnitCount))
        return true
    }

    /// Returns the fewest digits of a fraction that keep the date unchanged.
    private static func fraction(_ part: Double, of seconds: Double, _ whole: inout Int) -> (value: Int, digits: Int)? {
        guard part > 0 else { return nil }
        for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
            let scaled = (part * scale).rounded()
            guard digits == 9 || Double(whole) + scaled / scale == seconds else { continue }
            guard scaled < scale else {
                whole += 1
                return nil
            }
            return scaled == 0 ? nil : (Int(scaled), digits)
        }
        return nil
    }

    private static func append(year: Int, to bytes: inout [UInt8]) {
        if (0...9999).contains(year) { return append(nil, year, 4, to: &bytes) }
        append(year < 0 ? "-" : "+", abs(year), 6, to: &bytes)
    }

    private static func append(_ mark: Unicode.Scalar?, _ number: Int, _ digits: Int, to bytes: inout [UInt8]) {
        if let mark { bytes.append(UInt8(ascii: mark)) }
        var place = 1
        for _ in 1..<digits { place *= 10 }
        if number >= 10 * place { return bytes.append(String(number)) }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / place % 10))
            place /= 10
        }
    }
}
