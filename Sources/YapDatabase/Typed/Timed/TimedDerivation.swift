import FileEngine
import Foundation
import ListChanges

/// Derives a row for each row of a collection with what a date of it means at present: its day, and whether it is past.
///
/// An entry has two values: the moment at which the meaning of the date changes next, and the moment since which it is what was derived. A row is
/// derived again when the clock has reached the first moment, or was set back before the second.
struct TimedDerivation<Row: Codable & Sendable>: RowwiseDerivation {
    let list: String
    let source: String
    /// Nil for a row without a date, which is in no list.
    let date: @Sendable (Row) -> Date?
    let days: Days
    let versionTag: String

    var values: [EntryValue] { [EntryValue(isSearched: true), EntryValue(isSearched: true)] }
    var isTimed: Bool { true }

    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry? {
        guard let date = date(try row.place(of: Row.self).pointee), let date = days.known(date) else { return nil }
        let span = days.span(of: date, at: transaction.now)
        return DerivedEntry(
            key: row.key.key, place: "", values: [SQLValue(moment: span.until), SQLValue(moment: span.since)])
    }

    func derived(
        from row: Row, key: String, _ reader: SourceReader
    ) throws -> [(key: String, value: YapTimedRow<Row>)] {
        guard let date = date(row), let known = days.known(date) else { return [] }
        let now = reader.transaction.now
        return [(key, YapTimedRow(row: row, day: days.day(of: known, at: now), isPast: date < now))]
    }
}

extension SQLValue {
    fileprivate init(moment: Date?) { self = moment.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null }
}

/// The days of a time zone, as seen from the present.
struct Days: Sendable {
    private let calendar: Calendar

    init(in timeZone: TimeZone) { calendar = .gregorian(in: timeZone) }

    /// A date whose day has a name; nil for what is not a number.
    func known(_ date: Date) -> Date? { calendar.withinFourDigits(date) }

    func day(of date: Date, at now: Date) -> YapDay {
        switch turns(of: date).count(where: { $0 <= now }) {
        case 0: .coming(calendar.name(of: date, to: [.year, .month, .day]))
        case 1: .tomorrow
        case 2: .today
        case 3: .yesterday
        default: .past(calendar.name(of: date, to: [.year, .month, .day]))
        }
    }

    /// Returns since when and until when a date means what it means now; nil for always.
    func span(of date: Date, at now: Date) -> (since: Date?, until: Date?) {
        // A date is past from the first moment after it on.
        let moments =
            turns(of: date) + [Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextUp)]
        return (moments.filter { $0 <= now }.max(), moments.filter { $0 > now }.min())
    }

    /// The midnights at which the day of a date becomes tomorrow, today, yesterday, and one of those before.
    private func turns(of date: Date) -> [Date] {
        let day = calendar.startOfDay(for: date)
        // Days may have 23 or 25 hours, or begin at one o'clock.
        return [-1, 0, 1, 2].map { days in
            calendar.startOfDay(for: calendar.date(byAdding: .day, value: days, to: day) ?? day + Double(days) * 86_400)
        }
    }
}
