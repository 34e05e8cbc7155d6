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
        for value in [Plain(), [Plain()], ["k": Plain()], [NSNull(), [Card(title: "t"), Plain()]] as [Any]] as [Any] {
            #expect(throws: NotArchivable.self) { try KeyedArchive.encode(value) }
        }
    }

    @Test func objectsOfARegisteredClassComeBack() throws {
        YapDatabase.registerArchivedClass(Card.self, as: "Card")
        let card = try #require(try roundTrip(["card": Card(title: "t")]) as? [String: Any])["card"] as? Card
        #expect(card?.title == "t")
    }
}

final class Card: NSObject, NSCoding {
    let title: String

    init(title: String) { self.title = title }
    init?(coder: NSCoder) { title = coder.decodeObject(forKey: "title") as? String ?? "" }
    func encode(with coder: NSCoder) { coder.encode(title, forKey: "title") }
}
