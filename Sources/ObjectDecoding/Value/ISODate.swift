import Foundation

/// Dates as text, in UTC, with as many digits as are needed to get the same date back.
enum ISODate {
    /// `2016-11-05T00:53:20Z`; with a fraction of 3, 6 or 9 digits where there is one, with a sign and six digits for
    /// years beyond 0 to 9999. Nil for what is no date of the next or last 999,999 years, or no number at all.
    static func text(_ date: Date, separator: String = "T", zone: String = "Z") -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < 3.1e13 else { return nil }
        var whole = Int(seconds.rounded(.down))
        let fraction = fraction(seconds - Double(whole), of: seconds, &whole)
        let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        let second = whole - days * 86_400
        let date = CivilDate(daysSince2001: days)
        let day = "\(year(date.year))-\(padded(date.month, 2))-\(padded(date.day, 2))"
        let time = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return "\(day)\(separator)\(time)\(fraction)\(zone)"
    }

    /// The fewest digits that do not change the date.
    private static func fraction(_ part: Double, of seconds: Double, _ whole: inout Int) -> String {
        guard part > 0 else { return "" }
        for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
            let scaled = (part * scale).rounded()
            guard digits == 9 || Double(whole) + scaled / scale == seconds else { continue }
            guard scaled < scale else {
                whole += 1
                return ""
            }
            return scaled == 0 ? "" : ".\(padded(Int(scaled), digits))"
        }
        return ""
    }

    private static func year(_ year: Int) -> String {
        if (0...9999).contains(year) { return padded(year, 4) }
        return (year < 0 ? "-" : "+") + padded(abs(year), 6)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
