import Foundation
import YapDatabase

/// A condition, and what it has to mean: a plain function of a value that has nothing of the library.
struct ModelCondition<Kind: Sendable> {
    let condition: YapCondition<Sample<Kind>>
    let holds: (Sample<Kind>) -> Bool
}

/// An order, and what it has to mean.
struct ModelOrder<Kind: Sendable> {
    let order: YapOrder<Sample<Kind>>
    /// Below 0, 0 or above 0.
    let compare: (Sample<Kind>, Sample<Kind>) -> Int
    /// Whether an index can order by it.
    var isIndexed = true
}

/// What a property is to the model: nothing, a number, or bytes.
enum ModelField {
    case missing
    case number(Double)
    case bytes([UInt8])

    /// Below 0, 0 or above 0; nil where neither is less and they are not equal.
    func compared(to other: ModelField) -> Int? {
        switch (self, other) {
        case (.number(let a), .number(let b)): a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
        case (.bytes(let a), .bytes(let b)):
            a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
        case (.missing, .missing): 0
        default: nil
        }
    }

    var isMissing: Bool { if case .missing = self { true } else { false } }
    var isNaN: Bool { if case .number(let number) = self { number.isNaN } else { false } }

    init<Field: YapFieldValue>(_ field: Field) {
        switch field.fieldValue {
        case nil: self = .missing
        case let text as String: self = .bytes(Array(text.utf8))
        case let date as Date: self = .number(date.timeIntervalSinceReferenceDate)
        case let number as Double: self = .number(number)
        case let number as Int: self = .number(Double(number))
        case let number as Int64: self = .number(Double(number))
        default: fatalError("The model has no form of \(field).")
        }
    }
}

extension ModelCondition {
    private typealias Value = Sample<Kind>

    static func random(_ random: inout SplitMix64, depth: Int = 2) -> Self {
        if depth > 0, random.percent(55) {
            let a = Self.random(&random, depth: depth - 1)
            let choice = random.below(3)
            if choice == 0 { return Self(condition: !a.condition) { !a.holds($0) } }
            let b = Self.random(&random, depth: depth - 1)
            return choice == 1
                ? Self(condition: a.condition && b.condition) { a.holds($0) && b.holds($0) }
                : Self(condition: a.condition || b.condition) { a.holds($0) || b.holds($0) }
        }
        let (one, other) = (Value.random(0, &random), Value.random(0, &random))
        switch random.below(14) {
        case 0: return compared(\.text, one.text, other.text, &random)
        case 1: return compared(\.maybeText, one.text, one.maybeText, other.maybeText, &random)
        case 2: return compared(\.number, one.number, other.number, &random)
        case 3: return compared(\.maybeNumber, one.number, one.maybeNumber, other.maybeNumber, &random)
        case 4: return compared(\.score, one.score, other.score, &random)
        case 5, 6: return compared(\.maybeScore, one.score, one.maybeScore, other.maybeScore, &random)
        case 7: return compared(\.weight, one.weight ?? .nan, one.weight, other.weight, &random)
        case 8: return compared(\.date, one.date, other.date, &random)
        case 9: return compared(\.maybeDate, one.date, one.maybeDate, other.maybeDate, &random)
        case 10: return equal(\.isOpen, one.isOpen, other.isOpen, &random)
        case 11: return equal(\.tag, one.tag, other.tag, &random)
        case 12: return equal(\.label, one.label, other.label, &random)
        default: return equal(\.maybeLabel, one.maybeLabel, other.maybeLabel, &random)
        }
    }

    /// A comparison of a property that is always there.
    private static func compared<Field: YapFieldValue & Comparable & Hashable>(
        _ path: KeyPath<Value, Field> & Sendable, _ value: Field, _ other: Field, _ random: inout SplitMix64
    ) -> Self {
        func model(_ test: @escaping (Int) -> Bool) -> (Value) -> Bool {
            { ModelField($0[keyPath: path]).compared(to: ModelField(value)).map(test) ?? false }
        }
        switch random.below(7) {
        case 0: return Self(condition: path < value, holds: model { $0 < 0 })
        case 1: return Self(condition: path <= value, holds: model { $0 <= 0 })
        case 2: return Self(condition: path > value, holds: model { $0 > 0 })
        case 3: return Self(condition: path >= value, holds: model { $0 >= 0 })
        default: return equal(path, value, other, &random)
        }
    }

    /// A comparison of a property that may be missing, with a plain value or an optional one.
    private static func compared<Field: YapFieldValue & Comparable & Hashable>(
        _ path: KeyPath<Value, Field?> & Sendable, _ value: Field, _ optional: Field?, _ other: Field?,
        _ random: inout SplitMix64
    ) -> Self {
        func model(_ test: @escaping (Int) -> Bool) -> (Value) -> Bool {
            { ModelField($0[keyPath: path]).compared(to: ModelField(value)).map(test) ?? false }
        }
        switch random.below(8) {
        case 0: return Self(condition: path < value, holds: model { $0 < 0 })
        case 1: return Self(condition: path <= value, holds: model { $0 <= 0 })
        case 2: return Self(condition: path > value, holds: model { $0 > 0 })
        case 3: return Self(condition: path >= value, holds: model { $0 >= 0 })
        case 4: return Self(condition: path == value, holds: model { $0 == 0 })
        case 5: return Self(condition: path != value) { !model { $0 == 0 }($0) }
        default: return equal(path, optional, other, &random)
        }
    }

    /// Whether a property is a value, or one of two.
    private static func equal<Field: YapFieldValue & Hashable>(
        _ path: KeyPath<Value, Field> & Sendable, _ value: Field, _ other: Field, _ random: inout SplitMix64
    ) -> Self {
        func isEqual(_ sample: Value, _ value: Field) -> Bool {
            ModelField(sample[keyPath: path]).compared(to: ModelField(value)) == 0
        }
        switch random.below(3) {
        case 0: return Self(condition: path == value) { isEqual($0, value) }
        case 1: return Self(condition: path != value) { !isEqual($0, value) }
        default:
            return Self(condition: path ~= [value, other]) { isEqual($0, value) || isEqual($0, other) }
        }
    }
}

extension ModelOrder {
    private typealias Value = Sample<Kind>

    static var byID: Self { Self(order: .ascending(\.id)) { $0.id - $1.id } }

    static func random(_ random: inout SplitMix64) -> Self {
        switch random.below(11) {
        case 0: return made(\.text, &random)
        case 1: return made(\.maybeText, &random)
        case 2: return made(\.number, &random)
        case 3: return made(\.maybeNumber, &random)
        case 4, 5: return made(\.score, &random)
        case 6, 7: return made(\.maybeScore, &random)
        case 8: return made(\.weight, &random)
        case 9: return made(\.date, &random)
        default: return made(\.maybeDate, &random)
        }
    }

    private static func made<Field: YapFieldValue & Comparable>(
        _ path: KeyPath<Value, Field> & Sendable, _ random: inout SplitMix64
    ) -> Self {
        random.percent(50)
            ? Self(order: .ascending(path)) { compare($0[keyPath: path], $1[keyPath: path], false, true) }
            : Self(order: .descending(path)) { compare($0[keyPath: path], $1[keyPath: path], true, true) }
    }

    private static func made<Field: YapFieldValue & Comparable>(
        _ path: KeyPath<Value, Field?> & Sendable, _ random: inout SplitMix64
    ) -> Self {
        switch random.below(4) {
        case 0: Self(order: .ascending(path)) { compare($0[keyPath: path], $1[keyPath: path], false, true) }
        case 1:
            Self(order: .ascending(path, nil: .last)) { compare($0[keyPath: path], $1[keyPath: path], false, false) }
        case 2: Self(order: .descending(path)) { compare($0[keyPath: path], $1[keyPath: path], true, false) }
        default:
            Self(order: .descending(path, nil: .first)) { compare($0[keyPath: path], $1[keyPath: path], true, true) }
        }
    }

    private static func compare<Field: YapFieldValue>(
        _ a: Field, _ b: Field, _ isDescending: Bool, _ isMissingFirst: Bool
    ) -> Int {
        let (a, b) = (ModelField(a), ModelField(b))
        if a.isMissing || b.isMissing {
            return a.isMissing == b.isMissing ? 0 : a.isMissing == isMissingFirst ? -1 : 1
        }
        if a.isNaN || b.isNaN { return a.isNaN == b.isNaN ? 0 : a.isNaN ? 1 : -1 }
        return (a.compared(to: b) ?? 0) * (isDescending ? -1 : 1)
    }
}
