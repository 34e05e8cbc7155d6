import ByteCoders
import Foundation
import ListChanges

/// Groups of a ``YapList`` that are made out of a property: first letters, days, months, years.
///
/// ```swift
/// let letters = YapList("letters", of: people, groupedBy: .initial(\.name), sortedBy: .ascending(\.name, .caseInsensitive))
/// let zone = TimeZone(identifier: "Europe/Berlin")!
/// let days = YapList("days", of: photos, groupedBy: .day(\.taken, in: zone, newestFirst: true), sortedBy: .ascending(\.taken))
/// ```
public struct YapGrouping<Value: Sendable>: Sendable {
    let group: @Sendable (Value) -> String?
    let storedGroup: (@Sendable (StoredFields) throws -> String?)?
    let isGroupBefore: @Sendable (String, String) -> Bool
    /// For version tags; nil for a computed property.
    let description: String?

    private init<Field>(
        _ path: KeyPath<Value, Field> & Sendable, _ kind: String,
        isGroupBefore: @escaping @Sendable (String, String) -> Bool,
        _ name: @escaping @Sendable (Field) -> String?
    ) {
        let field = FieldReader(path)
        group = { name(field($0)) }
        storedGroup = StoredField(path)?.map(name)
        self.isGroupBefore = isGroupBefore
        description = FieldPath(path).name.map { "\(kind) of \($0)" }
    }

    /// The first letter of a text, without case and accents: `É` stands under `E`. What begins with no letter stands under `#`, which is the
    /// last section.
    public static func initial(_ path: KeyPath<Value, String> & Sendable) -> Self {
        Self(path, "initial", isGroupBefore: isInitial) { initial(of: $0) }
    }

    /// The first letter of a text that may be missing; then the value stands under `#`.
    public static func initial(_ path: KeyPath<Value, String?> & Sendable) -> Self {
        Self(path, "initial", isGroupBefore: isInitial) { initial(of: $0 ?? "") }
    }

    /// The day of a date in a time zone, as `2026-11-27`. What is no date is not in the list.
    /// - Parameters:
    ///   - path: a property with a date.
    ///   - timeZone: the zone whose midnights divide the days: stored with the list, which is filled again for another one.
    ///   - newestFirst: whether later days come first.
    public static func day(
        _ path: KeyPath<Value, Date> & Sendable, in timeZone: TimeZone, newestFirst: Bool = false
    ) -> Self { dates(path, "day", [.year, .month, .day], timeZone, newestFirst) }

    /// The month of a date in a time zone, as `2026-11`. What is no date is not in the list.
    /// - Parameters:
    ///   - path: a property with a date.
    ///   - timeZone: the zone whose midnights divide the months: stored with the list, which is filled again for another one.
    ///   - newestFirst: whether later months come first.
    public static func month(
        _ path: KeyPath<Value, Date> & Sendable, in timeZone: TimeZone, newestFirst: Bool = false
    ) -> Self { dates(path, "month", [.year, .month], timeZone, newestFirst) }

    /// The year of a date in a time zone, as `2026`. What is no date is not in the list.
    /// - Parameters:
    ///   - path: a property with a date.
    ///   - timeZone: the zone whose midnights divide the years: stored with the list, which is filled again for another one.
    ///   - newestFirst: whether later years come first.
    public static func year(
        _ path: KeyPath<Value, Date> & Sendable, in timeZone: TimeZone, newestFirst: Bool = false
    ) -> Self { dates(path, "year", [.year], timeZone, newestFirst) }

    private static func dates(
        _ path: KeyPath<Value, Date> & Sendable, _ kind: String, _ parts: Set<Calendar.Component>, _ timeZone: TimeZone,
        _ newestFirst: Bool
    ) -> Self {
        let calendar = Calendar.gregorian(in: timeZone)
        return Self(
            path, "\(kind) in \(timeZone.identifier)",
            isGroupBefore: { newestFirst ? $1.precedes($0) : $0.precedes($1) }
        ) { (date: Date) -> String? in calendar.withinFourDigits(date).map { calendar.name(of: $0, to: parts) } }
    }

    private static func initial(of text: String) -> String {
        guard let first = text.first, first.isLetter else { return other }
        let options: String.CompareOptions = [.diacriticInsensitive, .caseInsensitive, .widthInsensitive]
        let folded = String(first).folding(options: options, locale: nil).uppercased()
        return folded.first.map { String($0) } ?? other
    }

    private static var other: String { "#" }

    private static func isInitial(_ name: String, before other: String) -> Bool {
        let (isOther, otherIsOther) = (name == Self.other, other == Self.other)
        return isOther != otherIsOther ? otherIsOther : name.precedes(other)
    }
}

extension Calendar {
    static func gregorian(in timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }

    /// The name of a day, a month or a year, as `2026-11-27`.
    func name(of date: Date, to parts: Set<Component>) -> String {
        func padded(_ number: Int, _ digits: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let found = dateComponents(parts, from: date)
        let names = [
            found.year.map { padded($0, 4) }, found.month.map { padded($0, 2) }, found.day.map { padded($0, 2) },
        ]
        return names.compactMap(\.self).joined(separator: "-")
    }

    /// The date, if its year has four digits; else one of the first or the last day that has. Nil for what is not a number.
    func withinFourDigits(_ date: Date) -> Date? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard !seconds.isNaN else { return nil }
        // Of nearly all dates the calendar need not be asked.
        if Self.surelyFourDigits.contains(seconds) { return date }
        let (first, last) = (Self.surelyFourDigits.lowerBound, Self.surelyFourDigits.upperBound)
        let begin =
            self.date(from: DateComponents(year: 1, month: 1, day: 1)) ?? Date(timeIntervalSinceReferenceDate: first)
        let end =
            self.date(from: DateComponents(year: 10_000, month: 1, day: 1))
            ?? Date(timeIntervalSinceReferenceDate: last)
        return min(max(date, begin), end - 1)
    }

    /// From June of the year 1 to March of the year 9999, since 2001.
    private static let surelyFourDigits = -63_100_000_000.0...252_400_000_000.0
}

extension YapList {
    /// A list whose groups are made out of a property.
    ///
    /// ```swift
    /// let letters = YapList("letters", of: books, groupedBy: .initial(\.title), sortedBy: .ascending(\.title))
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - collection: the collection whose values the list has.
    ///   - grouping: first letters, days, months or years.
    ///   - orders: the first one decides, where values are equal the next one, and so on. Values that are equal in all keep the order in which they
    ///     were inserted.
    ///   - condition: which values are in the list; nil for all. A closure in it runs on any thread.
    ///   - versionTag: needed if a closure or a computed property is part of the declaration. The tag of the list is made from it.
    public init(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>, groupedBy grouping: YapGrouping<Value>,
        sortedBy orders: YapOrder<Value>..., where condition: YapCondition<Value>? = nil, versionTag: String? = nil
    ) {
        self.init(
            name, collection, orders, condition, versionTag, groupName: grouping.description,
            storedGroup: grouping.storedGroup, isGroupBefore: grouping.isGroupBefore, group: grouping.group)
    }
}

/// Titles beside a long list, one for each letter with which a section's name begins, and the section to which each leads.
///
/// ```swift
/// for title in update.sectionIndex.titles { print(title, update.sectionIndex.section(of: title) ?? 0) }
/// ```
public struct YapSectionIndex: Hashable, Sendable {
    /// The titles, in the order of the sections.
    public let titles: [String]
    private let sections: [String: Int]

    /// - Parameter groups: the names of the sections, in order.
    public init(groups: [String]) {
        var (titles, sections): ([String], [String: Int]) = ([], [:])
        for (number, group) in groups.enumerated() {
            let title = group.first.map { String($0).uppercased() } ?? ""
            guard sections[title] == nil else { continue }
            sections[title] = number
            titles.append(title)
        }
        (self.titles, self.sections) = (titles, sections)
    }

    /// The first section of a title, counted from 0; nil if it is none of ``titles``.
    public func section(of title: String) -> Int? { sections[title] }
}

extension YapListUpdate {
    /// Titles for the sections of the update.
    ///
    /// ```swift
    /// for try await update in connection.updates(of: order) { print(update.sectionIndex.titles) }
    /// ```
    public var sectionIndex: YapSectionIndex { YapSectionIndex(groups: sections.map(\.group)) }
}
