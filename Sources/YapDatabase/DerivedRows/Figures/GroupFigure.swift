import Foundation

/// A figure in the row of a group, with the name that ``FigureRule`` gives it.
struct GroupFigure: Codable, Equatable, Sendable {
    let name: String
    let state: FigureState
}

/// A figure of a group as it is kept: what is needed to bring it up to date without the group's other rows, and to show it.
enum FigureState: Equatable, Sendable {
    case count(Int)
    /// The sum of whole numbers: exact, also where it fits into no `Int`.
    case whole(Int128)
    case real(ExactSum)
    /// The least or the greatest value; nil if no row has one.
    case extreme(FigureBound)

    /// What an entry has of a number that is none: SQLite stores NULL for it.
    static let notANumber = "NaN"
    /// No group has more rows.
    fileprivate static let mostRows = 1 << 52
}

/// A value of a property that is the least or the greatest.
struct FigureBound: Equatable, Sendable, Codable {
    var integer: Int64?
    var real: Double?
    var text: String?

    init(_ value: SQLValue?) {
        switch value {
        case .integer(let value): integer = value
        // Of 0.0 and -0.0, which are equal, the file may give either.
        case .real(let value): real = value == 0 ? 0 : value
        case .text(let value): text = value
        case .blob, .null, nil: break
        }
    }

    /// The value as ``YapFieldValue/fieldValue`` gives it.
    var value: (any Sendable)? { integer ?? real ?? text }
}

/// How a figure is worked out.
struct FigureRule<Value: Sendable>: Sendable {
    enum Kind: Sendable {
        case count, whole, real
        case least, greatest
    }

    let kind: Kind
    /// Names the figure in a row of a group and in the version tag.
    let name: String
    /// What a row contributes, as an entry keeps it; `.null` for nothing.
    let ofValue: @Sendable (Value) -> SQLValue

    var isSearched: Bool { kind == .least || kind == .greatest }

    var initial: FigureState {
        switch kind {
        case .count: .count(0)
        case .whole: .whole(0)
        case .real: .real(ExactSum())
        case .least, .greatest: .extreme(FigureBound(nil))
        }
    }
}

extension FigureRule.Kind {
    /// Whether a figure that was kept is of this kind, and can be that of a group. One that cannot was damaged.
    ///
    /// It is not compared with the rows that the group has: while many are removed at once, their entries go later than they.
    func allows(_ state: FigureState) -> Bool {
        switch (self, state) {
        case (.count, .count(let counted)): 0...FigureState.mostRows ~= counted
        case (.whole, .whole(let sum)): sum.magnitude <= UInt128(FigureState.mostRows) << 63
        case (.real, .real(let sum)): sum.canBeSum(of: FigureState.mostRows)
        case (.least, .extreme), (.greatest, .extreme): true
        default: false
        }
    }
}

extension FigureState {
    /// Adds what a row contributes, or takes it away. The least and the greatest value are looked up at the end.
    /// - Returns: false, without a change, if no derivation gives such a value or such a figure: the entry or the group's row was damaged.
    mutating func change(_ value: SQLValue, isAdded: Bool) -> Bool {
        switch (self, value) {
        case (.count(let count), .integer(let one)):
            guard 0...1 ~= one else { return false }
            let (sum, overflows) =
                isAdded
                ? count.addingReportingOverflow(Int(one)) : count.subtractingReportingOverflow(Int(one))
            if overflows { return false }
            self = .count(sum)
        case (.whole(let sum), .integer(let number)):
            let (sum, overflows) =
                isAdded ? sum.addingReportingOverflow(Int128(number)) : sum.subtractingReportingOverflow(Int128(number))
            if overflows { return false }
            self = .whole(sum)
        case (.real(var sum), .text(let text)):
            guard text == Self.notANumber else { return false }
            if isAdded { sum.add(.nan) } else { sum.subtract(.nan) }
            self = .real(sum)
        case (.real(var sum), .real(let number)):
            // Without a second copy.
            self = .count(0)
            if isAdded { sum.add(number) } else { sum.subtract(number) }
            self = .real(sum)
        case (.extreme, _), (.whole, .null), (.real, .null): break
        default: return false
        }
        return true
    }
}

extension FigureState: Codable {
    private enum Key: String, CodingKey { case count, high, low, real, bound }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if let count = try fields.decodeIfPresent(Int.self, forKey: .count) {
            self = .count(count)
        } else if let high = try fields.decodeIfPresent(Int64.self, forKey: .high) {
            let low = try fields.decode(Int64.self, forKey: .low)
            self = .whole(Int128(high) << 64 | Int128(UInt64(bitPattern: low)))
        } else if let sum = try fields.decodeIfPresent(ExactSum.self, forKey: .real) {
            self = .real(sum)
        } else {
            self = .extreme(try fields.decode(FigureBound.self, forKey: .bound))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        switch self {
        case .count(let count): try fields.encode(count, forKey: .count)
        case .whole(let sum):
            try fields.encode(Int64(truncatingIfNeeded: sum >> 64), forKey: .high)
            try fields.encode(Int64(truncatingIfNeeded: sum), forKey: .low)
        case .real(let sum): try fields.encode(sum, forKey: .real)
        case .extreme(let bound): try fields.encode(bound, forKey: .bound)
        }
    }
}
