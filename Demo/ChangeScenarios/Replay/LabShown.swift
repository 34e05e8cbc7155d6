import Foundation
import YapDatabase

/// A row as a list over related rows has it, whatever it was derived from.
package protocol LabShown: Codable, Sendable {
    /// Its group in the list; nil if it is in none.
    var section: String? { get }
    var place: LabPlace { get }
    /// What the lab shows.
    var text: String { get }
    /// Its date, in hours.
    var sort: Int { get }
    /// The key of the row that it names.
    var other: String? { get }
    var tags: [String] { get }
}

/// A place in an order: the first part that differs decides.
package struct LabPlace: Hashable, Sendable, Comparable {
    package indirect enum Part: Hashable, Sendable {
        case number(Int)
        case text(String)
        /// What is greater comes first.
        case reversed(LabPlace)
    }

    package let parts: [Part]

    package init(_ parts: Part...) { self.parts = parts }
    init(_ first: Part, then rest: LabPlace) { parts = [first] + rest.parts }
    init(_ first: LabPlace, then last: Part) { parts = first.parts + [last] }

    package static func < (one: LabPlace, other: LabPlace) -> Bool {
        one.parts.lexicographicallyPrecedes(other.parts, by: precedes)
    }

    private static func precedes(_ one: Part, _ other: Part) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one < other
        case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.reversed(let one), .reversed(let other)): other < one
        // All places of a list have the same form.
        default: false
        }
    }
}

/// A row that is stored, with its key, which decides between rows of one place.
package struct KeyedRow: Codable, Sendable, Identifiable {
    package let id: String
    package let row: LabRow
}

extension KeyedRow: LabShown {
    package var section: String? { row.group }
    package var place: LabPlace { LabPlace(.number(row.sort), .text(id)) }
    package var text: String { row.text }
    package var sort: Int { row.sort }
    package var other: String? { row.other }
    package var tags: [String] { row.tags ?? [] }
}

extension YapJoinedRow: LabShown where Row: LabShown, Other == KeyedRow {
    package var section: String? { other.section }
    package var place: LabPlace { LabPlace(.text(other.text), then: row.place) }
    package var text: String { [row.text, other.text].filter { !$0.isEmpty }.joined(separator: ", ") }
    package var sort: Int { row.sort }
    package var other: String? { row.other }
    package var tags: [String] { row.tags }
}

extension YapPlacedRow: LabShown where Row: LabShown, Group == String {
    package var section: String? { group }
    /// One row stands in several groups, also in a list that has rows of all of them.
    package var place: LabPlace { LabPlace(row.place, then: .text(group)) }
    package var text: String { row.text }
    package var sort: Int { row.sort }
    package var other: String? { row.other }
    package var tags: [String] { row.tags }
}

extension YapTimedRow: LabShown where Row: LabShown {
    package var section: String? { day.name }
    package var place: LabPlace { LabPlace(.number(row.sort), then: row.place) }
    package var text: String { isPast ? "\(row.text) (past)" : row.text }
    package var sort: Int { row.sort }
    package var other: String? { row.other }
    package var tags: [String] { row.tags }
}

extension YapGroupRow: LabShown where Value: LabShown {
    package var section: String? { "all" }
    package var place: LabPlace { LabPlace(.reversed(last?.place ?? LabPlace()), .text(name)) }
    package var text: String { "\(count): \(last?.text ?? "")" }
    package var sort: Int { last?.sort ?? 0 }
    package var other: String? { name }
    package var tags: [String] { last?.tags ?? [] }
}

extension LabShown {
    /// Nil beyond all dates.
    package var date: Date? { LabTime.hours.contains(sort) ? LabTime.date(sort) : nil }
}

extension LabTime {
    package static func date(_ hour: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(hour) * 3_600) }
}
