import Foundation

/// Formats dates for the chat.
enum ChatDates {
    static let time = formatter("HH:mm")
    static let weekday = formatter("EEEE")
    static let day = formatter("d MMM")
    static let dayOfYear = formatter("d MMM yyyy")
    static let longDay = formatter("EEEE d MMMM")
    static let longDayOfYear = formatter("EEEE d MMMM yyyy")
    /// With seconds, for one message.
    static let moment = formatter("EEEE d MMMM yyyy HH:mm:ss")
    /// What a user types.
    static let typed = formatter("yyyy-MM-dd")

    /// In the name of a file.
    static let inName = formatter("yyyy-MM-dd-HHmmss")

    private static func formatter(_ format: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = format
        return formatter
    }

    /// The line above the first message of a day, with the year where it is not the present one.
    static func heading(_ date: Date, now: Date) -> String {
        (isSameYear(date, now) ? longDay : longDayOfYear).string(from: date)
    }

    /// A short text: a time today, `yesterday`, a weekday within a week, else a date.
    static func short(_ date: Date, now: Date) -> String {
        if date == .distantPast { return "" }
        let calendar = Calendar.current
        let days =
            calendar.dateComponents([.day], from: calendar.startOfDay(for: date), to: calendar.startOfDay(for: now)).day
            ?? 0
        switch days {
        case ...0: return time.string(from: date)
        case 1: return "yesterday"
        case 2...6: return weekday.string(from: date)
        default: return (isSameYear(date, now) ? day : dayOfYear).string(from: date)
        }
    }

    static func isSameDay(_ a: Date, _ b: Date) -> Bool { Calendar.current.isDate(a, inSameDayAs: b) }

    private static func isSameYear(_ a: Date, _ b: Date) -> Bool {
        Calendar.current.isDate(a, equalTo: b, toGranularity: .year)
    }
}
