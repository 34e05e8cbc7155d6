import FileEngine
import Foundation
import ListChanges

/// Derives a row for each row of a collection with what a date of it means at present: its day, and whether it is past.
///
/// The values of an entry are the moment at which that changes, and the moment since which it is so. Rows are derived again when the clock has
/// reached the first, or stands before the second.
struct TimedDerivation<Row: Codable & Sendable>: RowByRow {
    let list: String
    let source: String
    /// Nil for a row without a date, which is in no list.
    let date: @Sendable (Row) -> Date?
    let days: Days
    let versionTag: String

    var values: [EntryValue] { [EntryValue(isSearched: true), EntryValue(isSearched: true)] }
    var isTimed: Bool { true }

    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry? {
        guard let date = date(try row.place(of: Row.self).pointee), let date = date.withinFourDigits else { return nil }
        let span = days.span(of: date, at: transaction.now)
        return DerivedEntry(
            key: row.key.key, place: "", values: [SQLValue(moment: span.until), SQLValue(moment: span.since)])
    }

    func derived(from row: Row, in transaction: YapDatabaseReadTransaction) throws -> YapTimedRow<Row>? {
        guard let date = date(row), let known = date.withinFourDigits else { return nil }
        let now = transaction.now
        return YapTimedRow(row: row, day: days.day(of: known, at: now), isPast: date < now)
    }
}

extension SQLValue {
    fileprivate init(moment: Date?) { self = moment.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null }
}

/// The days of a time zone around the present.
final class Days: Sendable {
    private let calendar: Calendar
    /// Those that were worked out last. All rows of a transaction have the same present.
    private let last = Locked<Bounds?>(nil)

    /// Midnights: of yesterday, today, tomorrow, and the day after.
    private struct Bounds {
        let now: Date
        let yesterday, today, tomorrow, end: Date
    }

    init(in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    private func bounds(at now: Date) -> Bounds {
        last.withLock { last in
            if let last, last.now == now { return last }
            let today = calendar.startOfDay(for: now)
            let bounds = Bounds(
                now: now, yesterday: midnight(-1, after: today), today: today, tomorrow: midnight(1, after: today),
                end: midnight(2, after: today))
            last = bounds
            return bounds
        }
    }

    /// The beginning of a day that is some days later. Days may have 23 or 25 hours, or begin at one o'clock.
    private func midnight(_ days: Int, after day: Date) -> Date {
        calendar.startOfDay(for: calendar.date(byAdding: .day, value: days, to: day) ?? day + Double(days) * 86_400)
    }

    func day(of date: Date, at now: Date) -> YapDay {
        let bounds = bounds(at: now)
        if date < bounds.yesterday { return .past(name(of: date)) }
        if date < bounds.today { return .yesterday }
        if date < bounds.tomorrow { return .today }
        return date < bounds.end ? .tomorrow : .coming(name(of: date))
    }

    /// From which moment on, and until which, a date means what it means now; nil without an end.
    func span(of date: Date, at now: Date) -> (since: Date?, until: Date?) {
        let day = calendar.startOfDay(for: date)
        // After the date itself comes the least moment that is later.
        let moments = [
            midnight(-1, after: day), day, midnight(1, after: day), midnight(2, after: day),
            Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextUp),
        ]
        return (moments.filter { $0 <= now }.max(), moments.filter { $0 > now }.min())
    }

    private func name(of date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return [padded(parts.year ?? 0, 4), padded(parts.month ?? 0, 2), padded(parts.day ?? 0, 2)].joined(
            separator: "-")
    }
}
