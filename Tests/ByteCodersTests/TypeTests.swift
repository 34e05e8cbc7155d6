import ByteCoders
import Foundation
import Testing

/// Types that ask for what few types ask for.
@Suite struct TypeTests {
    @Test(arguments: Format.allCases) func classesAndTheirSuperclasses(_ format: Format) throws {
        try check(Dog(name: "Rex", age: 3, owner: "Ann"), format)
        try check(Puppy(name: "Bo", age: 1, owner: "Ed", toy: "ball"), format)
    }

    @Test(arguments: Format.allCases) func enumsWithValues(_ format: Format) throws {
        try check([Event.moved(from: 1, to: 2), .renamed("x"), .removed, .moved(from: -1, to: .max)], format)
    }

    @Test(arguments: Format.allCases) func dictionariesWithAnyKeys(_ format: Format) throws {
        try check([3: "c", -1: "a"], format)
        try check([Colour.red: 1, .green: 2], format)
        try check([Point(x: 1, y: 2): "p"], format)
        try check(Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("key \($0) é", $0) }), format)
    }

    @Test(arguments: Format.allCases) func valuesOfTheStandardLibrary(_ format: Format) throws {
        try check([1...5, 7...9], format)
        try check([Set([1]), []], format)
        try check([[1, nil], nil, []] as [[Int?]?], format)
        try check([UInt64.max, 0], format)
        try check([Int64.min, .max], format)
        try check([CGFloat(1.5)], format)
        try check([Colour.red, .green], format)
        try check(Optional(Point(x: 1, y: 2)), format)
    }

    @Test func whatFoundationWritesAsNoContainerIsLeftToIt() {
        #expect(ByteCoding.propertyList(5) == nil)
        #expect(ByteCoding.json(5) == Data("5".utf8))
        #expect(ByteCoding.json(Double.nan) == nil)
        #expect(ByteCoding.json([Double.infinity]) == nil)
    }

    @Test(arguments: Format.allCases) func whatIsRareIsLeftToFoundation(_ format: Format) {
        #expect(format.encode(WritesTwice()) == nil)
        #expect(format.encode(AsksForPath()) == nil)
        #expect(format.encode(WritesNothing()) == nil)
        #expect(format.encode(Throws()) == nil)
        #expect(format.encode([WritesToParent()]) == nil)
        #expect(format.encode(Deep(levels: 1_000)) == nil)
    }

    @Test func valuesOfAnotherTypeAreLeftToFoundation() throws {
        #expect(ByteCoding.decodeJSON(Point.self, from: Data(#"{"x":1}"#.utf8)) == nil)
        #expect(ByteCoding.decodeJSON([Int].self, from: Data("[1.0]".utf8)) == nil)
        #expect(ByteCoding.decodeJSON([Int8].self, from: Data("[300]".utf8)) == nil)
        #expect(ByteCoding.decodeJSON([Int].self, from: Data("[1] x".utf8)) == nil)
        #expect(ByteCoding.decodeJSON([Double].self, from: Data("[1e400]".utf8)) == nil)
        #expect(ByteCoding.decodeJSON([String: Int].self, from: Data(#"{"a":1,"a":2}"#.utf8)) == nil)
        #expect(ByteCoding.decodeJSON(Point.self, from: Data(#"{"x":1,"x":3,"y":2}"#.utf8)) == Point(x: 1, y: 2))
        #expect(try ByteCoding.decodePropertyList([Int].self, from: Data("<plist/>".utf8)) == nil)
    }

    /// Forty levels of two references to the same array would be 2^40 values.
    @Test func aListThatExpandsBeyondMeasureIsRefused() throws {
        var bytes = Data("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in 0..<40 {
            offsets.append(UInt8(bytes.count))
            bytes += [0xa2, UInt8(level + 1), UInt8(level + 1)]
        }
        offsets.append(UInt8(bytes.count))
        bytes += [0xa0]
        let table = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 41] + [UInt8](repeating: 0, count: 15) + [table]
        #expect(throws: DecodingError.self) { try ByteCoding.decodePropertyList(Nested.self, from: bytes) }
        bytes[8 + 2] = 0
        #expect(throws: DecodingError.self, "a cycle") { try ByteCoding.decodePropertyList(Nested.self, from: bytes) }
    }

    private func check<Value: Codable & Equatable>(_ value: Value, _ format: Format) throws {
        let ours = try #require(format.encode(value), "\(value)")
        let theirs = try format.theirs.encode(value)
        #expect(try format.theirs.decode(Value.self, ours) == value)
        #expect(try format.decode(Value.self, theirs) == value)
        #expect(try format.decode(Value.self, ours) == value)
    }
}

private class Animal: Codable, Equatable {
    let name: String
    let age: Int
    init(name: String, age: Int) { (self.name, self.age) = (name, age) }
    func isSame(_ other: Animal) -> Bool { name == other.name && age == other.age }
    static func == (first: Animal, second: Animal) -> Bool { first.isSame(second) }
}

/// Its superclass in the same container.
private class Dog: Animal {
    let owner: String
    private enum CodingKeys: CodingKey { case owner }

    init(name: String, age: Int, owner: String) {
        self.owner = owner
        super.init(name: name, age: age)
    }

    required init(from decoder: any Decoder) throws {
        owner = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .owner)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(owner, forKey: .owner)
        try super.encode(to: encoder)
    }

    override func isSame(_ other: Animal) -> Bool { super.isSame(other) && owner == (other as? Dog)?.owner }
}

/// Its superclass under the key `super`.
private final class Puppy: Dog {
    let toy: String
    private enum CodingKeys: CodingKey { case toy }

    init(name: String, age: Int, owner: String, toy: String) {
        self.toy = toy
        super.init(name: name, age: age, owner: owner)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        toy = try container.decode(String.self, forKey: .toy)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try super.encode(to: container.superEncoder())
        try container.encode(toy, forKey: .toy)
    }

    override func isSame(_ other: Animal) -> Bool { super.isSame(other) && toy == (other as? Puppy)?.toy }
}

private enum Event: Codable, Equatable {
    case moved(from: Int, to: Int), renamed(String), removed
}

private enum Colour: String, Codable, CodingKeyRepresentable { case red, green }
private struct Point: Codable, Hashable { var x, y: Int }

private struct WritesTwice: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: AnyKey("a"))
        try container.encode(2, forKey: AnyKey("a"))
    }
}

private struct AsksForPath: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(encoder.codingPath.count, forKey: AnyKey("a"))
    }
}

private struct WritesNothing: Encodable {
    func encode(to encoder: any Encoder) throws {}
}

private struct Throws: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: AnyKey("a"))
        throw CocoaError(.fileNoSuchFile)
    }
}

/// Writes to a nested container after its parent went on.
private struct WritesToParent: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("n"))
        try container.encode(1, forKey: AnyKey("a"))
        try nested.encode(2, forKey: AnyKey("b"))
    }
}

private struct Deep: Encodable {
    var levels: Int
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if levels > 0 { try container.encode(Deep(levels: levels - 1)) }
    }
}

private struct Nested: Decodable {
    var inner: [Nested] = []
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { inner.append(try container.decode(Nested.self)) }
    }
}
