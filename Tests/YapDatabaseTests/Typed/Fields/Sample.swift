import Foundation
import YapDatabase

/// A value with a property of each kind that conditions and orders go by.
///
/// Generic, so that the same properties are those of a type that is stored as it is declared and of one that does not promise it.
struct Sample<Kind: Sendable>: Codable, Sendable, Identifiable {
    enum Tag: String, Codable, Sendable, YapFieldValue {
        case red
        case green
        case blue
    }

    struct Label: RawRepresentable, Codable, Hashable, Sendable, YapFieldValue {
        var rawValue: String
    }

    var id: Int
    var text: String
    var maybeText: String?
    var number: Int
    var maybeNumber: Int?
    var score: Double
    var maybeScore: Double?
    var weight: Float?
    var date: Date
    var maybeDate: Date?
    var isOpen: Bool?
    var tag: Tag?
    var label: Label
    var maybeLabel: Label?
}

enum Promised: Sendable {}
enum Unpromised: Sendable {}

extension Sample: YapPlainCodable where Kind == Promised {}

extension Sample {
    static var all: YapCollection<Self, Int, Never> { YapCollection("samples", of: Self.self) }

    static var index: YapIndex<Self, Int, Never> {
        YapIndex(
            "index", of: all, on: \.id, \.text, \.maybeText, \.number, \.maybeNumber, \.score, \.maybeScore, \.weight,
            \.date,
            \.maybeDate, \.isOpen, \.tag, \.label, \.maybeLabel)
    }

    static func random(_ id: Int, _ random: inout SplitMix64) -> Self {
        func maybe<Field>(_ field: Field) -> Field? { random.percent(30) ? nil : field }
        return Self(
            id: id, text: .sample(&random), maybeText: maybe(.sample(&random)), number: random.below(5) - 2,
            maybeNumber: maybe(random.below(5) - 2), score: .sample(&random), maybeScore: maybe(.sample(&random)),
            weight: maybe(Float(Double.sample(&random))), date: .sample(&random), maybeDate: maybe(.sample(&random)),
            isOpen: maybe(random.percent(50)), tag: maybe(random.pick([.red, .green, .blue])),
            label: Label(rawValue: .sample(&random)), maybeLabel: maybe(Label(rawValue: .sample(&random))))
    }
}

extension String {
    /// Texts of which some are canonically equal, some empty, and some differ only behind a NUL.
    static func sample(_ random: inout SplitMix64) -> String {
        let pieces = [
            "", "é", "e\u{301}", "e", "z", "Z", "K", "\u{212a}", "a\0b", "a", "10", "9", "ﬁ", "😀", "\u{fffd}",
        ]
        return random.pick(pieces) + (random.percent(20) ? random.pick(pieces) : "")
    }
}

extension Double {
    static func sample(_ random: inout SplitMix64) -> Double {
        random.pick([0, -0.0, 1, -1, 2.5, .nan, -.nan, .infinity, -.infinity, .leastNonzeroMagnitude])
    }
}

extension Date {
    static func sample(_ random: inout SplitMix64) -> Date {
        Date(timeIntervalSinceReferenceDate: .sample(&random))
    }
}
