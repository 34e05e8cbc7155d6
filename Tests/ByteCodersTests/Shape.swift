import Foundation
import SeededRandom

/// A value whose type is made up at run time: it encodes itself as its cases say, and decodes what a value of the same form
/// encodes. The form is that of the task.
indirect enum Shape: Equatable, Sendable {
    case bool(Bool), int(Int), int8(Int8), int32(Int32), uint64(UInt64), double(Double), float(Float)
    case string(String), date(Date), data(Data), url(URL), decimal(Decimal), uuid(UUID)
    case null, some(Shape)
    /// Through `encode(to:)` of each element, or in a nested container of the parent's.
    case array([Shape], isNested: Bool)
    case object([Entry], Style)
    case dictionary([String: Int])
    case numbers([Int: String])

    enum Style: CaseIterable, Sendable { case values, nested, parent, split }

    struct Entry: Equatable, Sendable {
        var key: String
        var value: Shape
    }

    @TaskLocal static var form: Shape = .null
}

struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

// MARK: Encoding

extension Shape: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements, let isNested):
            var container = encoder.unkeyedContainer()
            for element in elements { try element.encode(in: &container, isNested: isNested) }
        case .object(let entries, let style): try Self.encode(entries, style, encoder)
        case .dictionary(let dictionary): try dictionary.encode(to: encoder)
        case .numbers(let numbers): try numbers.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar {
                try container.encode($0)
            } null: {
                try container.encodeNil()
            }
        }
    }

    private func encodeScalar(_ encode: (any Encodable) throws -> Void, null: () throws -> Void) throws {
        switch self {
        case .bool(let value): try encode(value)
        case .int(let value): try encode(value)
        case .int8(let value): try encode(value)
        case .int32(let value): try encode(value)
        case .uint64(let value): try encode(value)
        case .double(let value): try encode(value)
        case .float(let value): try encode(value)
        case .string(let value): try encode(value)
        case .date(let value): try encode(value)
        case .data(let value): try encode(value)
        case .url(let value): try encode(value)
        case .decimal(let value): try encode(value)
        case .uuid(let value): try encode(value)
        case .null: try null()
        case .some(let value): try encode(Optional.some(value))
        case .array, .object, .dictionary, .numbers: try encode(self)
        }
    }

    private func encode(in container: inout any UnkeyedEncodingContainer, isNested: Bool) throws {
        switch self {
        case .array(let elements, _) where isNested:
            var inner = container.nestedUnkeyedContainer()
            for element in elements { try element.encode(in: &inner, isNested: false) }
        case .object(let entries, _) where isNested:
            var inner = container.nestedContainer(keyedBy: AnyKey.self)
            for entry in entries { try inner.encode(entry.value, forKey: AnyKey(entry.key)) }
        default:
            var copy = container
            try encodeScalar {
                try copy.encode($0)
            } null: {
                try copy.encodeNil()
            }
            container = copy
        }
    }

    private static func encode(_ entries: [Entry], _ style: Style, _ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        for (place, entry) in entries.enumerated() {
            let key = AnyKey(entry.key)
            switch (entry.value, style) {
            case (.array(let elements, _), .nested):
                var inner = container.nestedUnkeyedContainer(forKey: key)
                for element in elements { try element.encode(in: &inner, isNested: false) }
            case (.object(let inner, _), .nested):
                var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                for entry in inner { try nested.encode(entry.value, forKey: AnyKey(entry.key)) }
            case (.object, .parent): try entry.value.encode(to: container.superEncoder(forKey: key))
            case (.some(let value), _): try container.encodeIfPresent(value, forKey: key)
            case (.null, .values): try container.encodeIfPresent(Shape?.none, forKey: key)
            default:
                // As a class and its superclass do.
                if style == .split, place == entries.count / 2 { container = encoder.container(keyedBy: AnyKey.self) }
                var copy = container
                try entry.value.encodeScalar {
                    try copy.encode($0, forKey: key)
                } null: {
                    try copy.encodeNil(forKey: key)
                }
                container = copy
            }
        }
    }
}

// MARK: Decoding

extension Shape: Decodable {
    init(from decoder: any Decoder) throws { self = try Self.form.decoded(decoder) }

    /// Decodes a value of the form of this one.
    private func decoded(_ decoder: any Decoder) throws -> Shape {
        switch self {
        case .array(let elements, let isNested):
            var container = try decoder.unkeyedContainer()
            return .array(try elements.map { try $0.decoded(in: &container, isNested) }, isNested: isNested)
        case .object(let entries, let style):
            let container = try decoder.container(keyedBy: AnyKey.self)
            return .object(try entries.map { try $0.decoded(in: container, style) }, style)
        case .dictionary: return .dictionary(try [String: Int](from: decoder))
        case .numbers: return .numbers(try [Int: String](from: decoder))
        default:
            let container = try decoder.singleValueContainer()
            if case .null = self { return container.decodeNil() ? .null : .bool(false) }
            return try scalar { try container.decode($0) }
        }
    }

    fileprivate func scalar(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> Shape {
        func value<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type) as! Value }
        switch self {
        case .bool: return .bool(try value(Bool.self))
        case .int: return .int(try value(Int.self))
        case .int8: return .int8(try value(Int8.self))
        case .int32: return .int32(try value(Int32.self))
        case .uint64: return .uint64(try value(UInt64.self))
        case .double: return .double(try value(Double.self))
        case .float: return .float(try value(Float.self))
        case .string: return .string(try value(String.self))
        case .date: return .date(try value(Date.self))
        case .data: return .data(try value(Data.self))
        case .url: return .url(try value(URL.self))
        case .decimal: return .decimal(try value(Decimal.self))
        case .uuid: return .uuid(try value(UUID.self))
        case .some(let form): return .some(try Self.$form.withValue(form) { try value(Shape.self) })
        case .null: return .null
        case .array, .object, .dictionary, .numbers: return try Self.$form.withValue(self) { try value(Shape.self) }
        }
    }

    fileprivate func decoded(in container: inout any UnkeyedDecodingContainer, _ isNested: Bool) throws -> Shape {
        switch self {
        case .array(let elements, let inner) where isNested:
            var nested = try container.nestedUnkeyedContainer()
            return .array(try elements.map { try $0.decoded(in: &nested, false) }, isNested: inner)
        case .object(let entries, let style) where isNested:
            let nested = try container.nestedContainer(keyedBy: AnyKey.self)
            return .object(try entries.map { try $0.decoded(in: nested, .values) }, style)
        case .null: return try container.decodeNil() ? .null : .bool(false)
        default:
            var copy = container
            let shape = try scalar { try copy.decode($0) }
            container = copy
            return shape
        }
    }
}

extension Shape.Entry {
    fileprivate func decoded(in container: KeyedDecodingContainer<AnyKey>, _ style: Shape.Style) throws -> Shape.Entry {
        let key = AnyKey(key)
        switch (value, style) {
        case (.array(let elements, let isNested), .nested):
            var nested = try container.nestedUnkeyedContainer(forKey: key)
            return Shape.Entry(
                key: self.key,
                value: .array(try elements.map { try $0.decoded(in: &nested, false) }, isNested: isNested))
        case (.object(let entries, let inner), .nested):
            let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
            return Shape.Entry(
                key: self.key, value: .object(try entries.map { try $0.decoded(in: nested, .values) }, inner))
        case (.object, .parent):
            let decoder = try container.superDecoder(forKey: key)
            return Shape.Entry(key: self.key, value: try Shape.$form.withValue(value) { try Shape(from: decoder) })
        case (.some(let form), _):
            let decoded = try Shape.$form.withValue(form) { try container.decodeIfPresent(Shape.self, forKey: key) }
            return Shape.Entry(key: self.key, value: decoded.map { .some($0) } ?? .null)
        case (.null, .values):
            let decoded = try container.decodeIfPresent(String.self, forKey: key)
            return Shape.Entry(key: self.key, value: decoded.map { .string($0) } ?? .null)
        case (.null, _):
            return Shape.Entry(key: self.key, value: try container.decodeNil(forKey: key) ? .null : .bool(false))
        default:
            return Shape.Entry(key: self.key, value: try value.scalar { try container.decode($0, forKey: key) })
        }
    }
}

// MARK: Random values

extension Shape {
    /// Most values are flat, as most rows are, so that many can be tried.
    static func random(_ random: inout SplitMix64) -> Shape {
        .random(&random, depth: random.percent(85) ? 3 : 0, isRoot: true)
    }

    private static func random(_ random: inout SplitMix64, depth: Int, isRoot: Bool = false) -> Shape {
        let isContainer = isRoot || depth < 4 && random.percent(30)
        guard isContainer else { return scalar(&random, depth) }
        switch random.below(10) {
        case 0..<3:
            return .array(
                (0..<random.below(6)).map { _ in .random(&random, depth: depth + 1) }, isNested: random.percent(50))
        case 3:
            return .dictionary(Dictionary((0..<random.below(40)).map { (text(&random), $0) }) { first, _ in first })
        case 4:
            return .numbers(
                Dictionary((0..<random.below(6)).map { (random.below(300) - 100, "\($0)") }) { first, _ in first })
        default:
            var keys: Set<String> = []
            let entries = (0..<random.below(random.percent(5) ? 60 : 6)).compactMap { _ -> Entry? in
                let key = text(&random)
                return keys.insert(key).inserted ? Entry(key: key, value: .random(&random, depth: depth + 1)) : nil
            }
            return .object(entries, random.pick(Style.allCases))
        }
    }

    private static func scalar(_ random: inout SplitMix64, _ depth: Int) -> Shape {
        switch random.below(15) {
        case 0: return .bool(random.percent(50))
        case 1: return .int(number(&random))
        case 2: return .int8(Int8(truncatingIfNeeded: random.next()))
        case 3: return .int32(Int32(truncatingIfNeeded: random.next()))
        case 4: return .uint64(random.percent(50) ? random.next() : UInt64(random.below(300)))
        case 5, 6: return .double(real(&random))
        case 7: return .float(Float(random.below(2_000_000) - 1_000_000) / Float(1 + random.below(1_000)))
        case 8: return .date(Date(timeIntervalSinceReferenceDate: real(&random)))
        case 9: return .data(Data((0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
        case 10:
            return random.percent(50)
                ? .url(URL(string: "https://example.org/\(random.below(99))?q=a%20b")!)
                : .decimal(Decimal(number(&random) / 1_000) / 100)
        case 11: return .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!)
        case 12: return depth > 0 ? .null : .bool(true)
        case 13: return depth > 0 ? .some(.random(&random, depth: depth + 1).unwrapped) : .bool(false)
        default: return .string(text(&random))
        }
    }

    private var unwrapped: Shape {
        switch self {
        case .some(let value): value.unwrapped
        case .null: .int(0)
        default: self
        }
    }

    private static func number(_ random: inout SplitMix64) -> Int {
        let number = Int(truncatingIfNeeded: random.next()) >> random.below(64)
        return random.percent(2) ? random.pick([.min, .max, 0, 255, 256, 65_535, 65_536, -1]) : number
    }

    private static func real(_ random: inout SplitMix64) -> Double {
        switch random.below(5) {
        case 0: return Double(number(&random))
        case 1: return Double(random.below(1_000_000)) / 1_000
        case 2:
            return random.pick([0, -0.0, 1e20, 1e15, 1e16, 0.1, 1e-5, .pi, 0x1p53, 0x1p54, .greatestFiniteMagnitude])
        case 3: return Double.random(in: -1e9...1e9, using: &random)
        default:
            let number = Double(bitPattern: random.next())
            return number.isNormal ? number : 1.5
        }
    }

    private static func text(_ random: inout SplitMix64) -> String {
        let pieces = [
            "a", "b", "name", "é", "e\u{301}", "😀", "/", "\\", "\"", "\n", "\u{1}", "\u{7f}", "\u{2028}", "key", " ",
            "ÿ", "漢字",
            "0123456789",
        ]
        return (0..<random.below(random.percent(3) ? 60 : 5)).map { _ in random.pick(pieces) }.joined()
    }
}
