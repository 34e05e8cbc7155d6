import Foundation

/// A decoded stored value, for display and for JSON.
///
/// The ``DecodingOptions`` bound the depth and number of values, so code may recurse over them.
package enum DecodedValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer beyond `Int64.max`.
    case unsigned(UInt64)
    case double(Double)
    /// A number that the cases above cannot hold exactly, as JSON text.
    case number(String)
    case string(String)
    case data([UInt8])
    case date(Date)
    case uuid(UUID)
    /// The text, which need not be a valid URL.
    case url(String)
    case array([DecodedValue])
    /// In stored order.
    case set([DecodedValue])
    /// In stored order. Keys may be of any type and may repeat.
    case dictionary([DecodedField])
    /// An object of a class that only its program knows.
    indirect case object(className: String, fields: [DecodedField])
    /// The same object as the one at this path, which contains this one or is too large to be repeated.
    case reference(ValuePath)
    /// Undecodable bytes and the error; nil if nothing suggests that they should be decodable.
    indirect case bytes([UInt8], error: String?)
    /// A description of a damaged place in an otherwise good value.
    case damaged(String)
    /// What a limit left out, in words: "12 more values". The last element of its list, or the value of its last field.
    case omitted(String)
}

/// Texts are equal if they have the same bytes, as for SQLite: the same letters in two Unicode forms are two texts.
extension DecodedValue {
    package static func == (one: DecodedValue, other: DecodedValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.array(let a), .array(let b)), (.set(let a), .set(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        case (.object(let a, let ours), .object(let b, let theirs)): haveSameBytes(a, b) && ours == theirs
        case (.reference(let a), .reference(let b)): a == b
        case (.bytes(let a, let ours), .bytes(let b, let theirs)): a == b && ours == theirs
        case (.number(let a), .number(let b)), (.string(let a), .string(let b)), (.url(let a), .url(let b)),
            (.damaged(let a), .damaged(let b)), (.omitted(let a), .omitted(let b)):
            haveSameBytes(a, b)
        // Two of different kinds: the compiler cannot check all pairs in reasonable time.
        default: false
        }
    }

    private static func haveSameBytes(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}

/// A key and its value.
package struct DecodedField: Hashable, Sendable {
    package var key: DecodedValue
    package var value: DecodedValue

    package init(key: DecodedValue, value: DecodedValue) {
        self.key = key
        self.value = value
    }

    package init(_ name: String, _ value: DecodedValue) { self.init(key: .string(name), value: value) }

    /// The key, if it is a string.
    package var name: String? { if case .string(let name) = key { name } else { nil } }
}

extension DecodedValue {
    /// An integer of 16 bytes.
    static func wide(high: Int64, low: UInt64) -> DecodedValue {
        if high == 0 { return low <= UInt64(Int64.max) ? .integer(Int64(low)) : .unsigned(low) }
        let number = Int128(high) << 64 | Int128(low)
        return Int64(exactly: number).map(DecodedValue.integer) ?? .number(String(number))
    }

    /// A date, by its seconds since 2001.
    static func date(seconds: Double) -> DecodedValue { .date(Date(timeIntervalSinceReferenceDate: seconds)) }
}

extension DecodedValue {
    /// The number of direct children.
    package var childCount: Int {
        switch self {
        case .array(let values), .set(let values): values.count
        case .dictionary(let fields), .object(_, let fields): fields.count
        default: 0
        }
    }

    /// Returns the child at an index.
    package func child(_ index: Int) -> DecodedValue {
        switch self {
        case .array(let values), .set(let values): return values[index]
        case .dictionary(let fields), .object(_, let fields): return fields[index].value
        default: fatalError("Only lists, dictionaries and objects have children.")
        }
    }

    /// The fields of a dictionary or an object; nil for everything else.
    package var fields: [DecodedField]? {
        switch self {
        case .dictionary(let fields), .object(_, let fields): fields
        default: nil
        }
    }

    /// Returns the path of the child at an index, given the path of this value.
    package func path(ofChild index: Int, at path: ValuePath) -> ValuePath {
        guard let field = fields?[index] else { return path.element(index) }
        return field.name.map(path.field) ?? path.key(index)
    }
}
