import Foundation
import Testing

@testable import YapDatabase

@Suite struct KeyedArchiveTests {
    private func roundTrip(_ value: Any) throws -> Any { try KeyedArchive.decode(KeyedArchive.encode(value)) }

    private static var everything: [String: Any] {
        [
            "string": "a", "umlaut": "äöü 🎉", "empty": "", "int": 25, "negative": -3, "large": Int64.max, "real": 1.5,
            "yes": true, "no": false, "date": Date(timeIntervalSinceReferenceDate: 5.25), "data": Data([0, 1, 255]),
            "list": ["x", 1, ["nested"]] as [Any], "map": ["k": ["deep": 1]],
            "url": URL(string: "https://example.com/a?b=c")!,
            "long": String(repeating: "x", count: 300),
        ]
    }

    @Test func everyPlainValueComesBack() throws {
        let value = try #require(try roundTrip(Self.everything) as? [String: Any])
        #expect(value.count == Self.everything.count)
        for (key, expected) in Self.everything {
            let found = try #require(value[key])
            #expect("\(found)" == "\(expected)" || (found as? NSNumber) == (expected as? NSNumber), "\(key)")
        }
        #expect(try roundTrip(Set(["a", "b"])) as? Set<String> == ["a", "b"])
        let uuid = UUID()
        #expect(try roundTrip(uuid) as? UUID == uuid)
        #expect(try roundTrip(NSNull()) is NSNull)
        #expect(try roundTrip([1: "one"]) as? [Int: String] == [1: "one"])
        #expect(try roundTrip(NSNumber(value: true)) as? Bool == true)
        #expect(try roundTrip(NSNumber(value: 2.5)) as? Double == 2.5)
    }

    @Test func foundationReadsWhatWeWriteAndWeReadWhatItWrites() throws {
        var plain = Self.everything
        plain["url"] = nil
        let ours = try KeyedArchive.encode(plain)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: ours)
        unarchiver.requiresSecureCoding = false
        let theirs = try #require(unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSDictionary)
        #expect(
            theirs.count == plain.count && theirs["umlaut"] as? String == "äöü 🎉" && theirs["large"] as? Int64 == .max)

        let archive = try NSKeyedArchiver.archivedData(withRootObject: Self.everything, requiringSecureCoding: false)
        let value = try #require(try KeyedArchive.decode(archive) as? [String: Any])
        #expect(value["umlaut"] as? String == "äöü 🎉" && value["negative"] as? Int == -3)
        #expect(value["date"] as? Date == Self.everything["date"] as? Date)
        #expect(value["url"] as? URL == Self.everything["url"] as? URL)
    }

    @Test func aFlippedBitGivesAnErrorOrAValueAndNeverStopsTheProgram() throws {
        let archive = try KeyedArchive.encode(Self.everything)
        var errors = 0
        for index in archive.indices {
            for flip in [UInt8(1) << UInt8(index % 8), 0xff] {
                var damaged = archive
                damaged[index] ^= flip
                do { _ = try KeyedArchive.decode(damaged) } catch { errors += 1 }
            }
        }
        #expect(errors > archive.count / 2)
        for count in stride(from: 0, to: archive.count, by: 7) {
            #expect(throws: (any Error).self) { try KeyedArchive.decode(archive.prefix(count)) }
        }
    }

    @Test func aValueThatNoArchiveHoldsIsThrown() throws {
        struct Plain {}
        YapDatabase.registerArchivedClass(Card.self, as: "Card")
        for value in [Plain(), [Plain()], ["k": Plain()], [NSNull(), [Card(title: "t"), Plain()]] as [Any]] as [Any] {
            #expect(throws: NotArchivable.self) { try KeyedArchive.encode(value) }
        }
    }

    @Test func objectsOfARegisteredClassComeBack() throws {
        YapDatabase.registerArchivedClass(Card.self, as: "Card")
        let card = try #require(try roundTrip(["card": Card(title: "t")]) as? [String: Any])["card"] as? Card
        #expect(card?.title == "t")
    }

    @Test func foundationReadsObjectsThatWeWriteAndWeReadThoseThatItWrites() throws {
        YapDatabase.registerArchivedClass(Card.self, as: "Card")
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: KeyedArchive.encode([Card(title: "ours")]))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(Card.self, forClassName: "Card")
        let ours = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? [Card]
        #expect(ours?.map(\.title) == ["ours"])

        YapDatabase.registerArchivedClass(Card.self, as: "YapDatabaseTests.Card")
        let theirs = try NSKeyedArchiver.archivedData(
            withRootObject: Card(title: "theirs"), requiringSecureCoding: false)
        #expect(try (KeyedArchive.decode(theirs) as? Card)?.title == "theirs")
    }

    @Test func everyKindOfFieldComesBack() throws {
        YapDatabase.registerArchivedClass(Card.self, as: "Card")
        YapDatabase.registerArchivedClass(Shelf.self, as: "Shelf")
        let shelf = Shelf()
        shelf.card = Card(title: "a")
        shelf.child = Shelf()
        shelf.child?.parent = shelf
        let found = try #require(try roundTrip([shelf, shelf]) as? [Shelf])
        #expect(found[0] === found[1] && found[0].card?.title == "a" && found[0].bytes == [1, 2, 3])
        #expect(found[0].child?.child == nil && found[0].child?.parent == nil)
        #expect(found[0].numbers == shelf.numbers && found[0].flag)
    }

    @Test func whatNoArchiveCanHoldIsThrown() throws {
        YapDatabase.registerArchivedClass(Shelf.self, as: "Shelf")
        final class Nested: NSObject, NSCoding {
            override init() {}
            init?(coder: NSCoder) {}
            func encode(with coder: NSCoder) {}
        }
        #expect(throws: UnnamedClass.self) { try KeyedArchive.encode(Nested()) }
        let circle = Shelf()
        circle.child = circle
        defer { circle.child = nil }
        #expect(throws: CircularObject.self) { try KeyedArchive.encode(circle) }
        var deep: Any = "x"
        for _ in 0..<200 { deep = [deep] }
        #expect(throws: Never.self) { try roundTrip(deep) }
        #expect(throws: NestedTooDeep.self) { try KeyedArchive.encode([deep]) }
    }

    /// 100,000 lists, each in the next.
    @Test func aDeepArchiveIsAnErrorAndNeedsNoStack() throws {
        var objects: [BinaryPropertyList] = [.string("$null")]
        let count = 100_000
        for index in 1..<count {
            objects.append(
                .dictionary(["$class": .uid(count), "NS.objects": .array(index + 1 < count ? [.uid(index + 1)] : [])]))
        }
        objects.append(.dictionary(["$classname": .string("NSArray"), "$classes": .array([.string("NSArray")])]))
        let archive = BinaryPropertyList.dictionary([
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects),
        ])
        #expect(throws: BinaryPropertyList.Malformed.self) { try KeyedArchive.decode(archive.bytes()) }
    }
}

final class Card: NSObject, NSCoding {
    let title: String

    init(title: String) { self.title = title }
    init?(coder: NSCoder) { title = coder.decodeObject(forKey: "title") as? String ?? "" }
    func encode(with coder: NSCoder) { coder.encode(title, forKey: "title") }
}

/// An object with a field of each kind.
final class Shelf: NSObject, NSCoding {
    var card: Card?
    var child: Shelf?
    weak var parent: Shelf?
    var numbers: [Double] = [1, 2.5, 3, 4, 5]
    var bytes: [UInt8] = [1, 2, 3]
    var flag = true

    override init() {}

    init?(coder: NSCoder) {
        card = coder.decodeObject(of: Card.self, forKey: "card")
        child = coder.decodeObject(forKey: "child") as? Shelf
        parent = coder.decodeObject(forKey: "parent") as? Shelf
        numbers = [
            Double(coder.decodeInteger(forKey: "int")), Double(coder.decodeFloat(forKey: "float")),
            Double(coder.decodeInt32(forKey: "int32")), Double(coder.decodeInt64(forKey: "$int64")),
            coder.decodeDouble(forKey: "double"),
        ]
        bytes = coder.withDecodedUnsafeBytes(forKey: "bytes") { $0.map(Array.init) ?? [] }
        flag = coder.decodeBool(forKey: "flag")
    }

    func encode(with coder: NSCoder) {
        coder.encode(card, forKey: "card")
        coder.encode(child, forKey: "child")
        coder.encodeConditionalObject(parent, forKey: "parent")
        coder.encode(Int(numbers[0]), forKey: "int")
        coder.encode(Float(numbers[1]), forKey: "float")
        coder.encode(Int32(numbers[2]), forKey: "int32")
        coder.encode(Int64(numbers[3]), forKey: "$int64")
        coder.encode(numbers[4], forKey: "double")
        coder.encodeBytes(bytes, length: bytes.count, forKey: "bytes")
        coder.encode(flag, forKey: "flag")
    }
}
