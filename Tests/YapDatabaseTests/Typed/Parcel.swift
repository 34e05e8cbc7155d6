import Foundation
import TestSupport

@testable import YapDatabase

/// A value with a property of each kind that a list or an index goes by. `Parcel<Kept>` promises to be stored as it is declared,
/// `Parcel<NotGiven>` does not, and is the same otherwise.
struct Parcel<Promise>: Codable, Equatable, Identifiable, Sendable {
    enum Shelf: String, Codable, CaseIterable, YapFieldValue, YapGroup {
        case attic
        case cellar
    }

    enum Level: Int, Codable, CaseIterable, YapFieldValue, YapGroup, Comparable {
        case low = -1
        case high = 7

        static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    struct Sender: Codable, Equatable {
        var name: String
    }

    /// Promises it, too, and so does what is in it.
    struct Receiver: YapPlainCodable, Equatable {
        struct House: YapPlainCodable, Equatable {
            var number: Double
            var floor: Int?
        }

        var name: String
        var house: House
        var sender: Sender
    }

    var id: Int
    var title: String
    var note: String?
    var shelf: Shelf
    var oldShelf: Shelf?
    var level: Level
    var oldLevel: Level?
    var isOwned: Bool
    var isRead: Bool?
    var price: Double
    var discount: Double?
    var weight: Float
    var day: Date
    var dueDay: Date?
    var year: Int
    var lastYear: Int?
    var count: Int8
    var size: UInt32?
    var token: UUID
    var link: UUID?
    var stamp: Data
    var sender: Sender
    var receiver: Receiver
    var labels: [String]

    init(id: Int, _ random: inout SplitMix64) {
        func maybe<Value>(_ value: Value) -> Value? { random.percent(70) ? value : nil }
        self.id = id
        title = random.pick(["Dune", "Ubik", "é", "", "\"\\/\n", "a long title of more than fifteen letters"])
        note = maybe(random.pick(["short", "", "日本", "null"]))
        shelf = random.pick(Shelf.allCases)
        oldShelf = maybe(random.pick(Shelf.allCases))
        level = random.pick(Level.allCases)
        oldLevel = maybe(random.pick(Level.allCases))
        isOwned = random.percent(50)
        isRead = maybe(random.percent(50))
        price = random.pick([0, -0.0, 1, 2.5, 1e300, 0.1])
        discount = maybe(Double(random.below(4)) / 4)
        weight = Float(random.below(6)) / 8
        day = Date(timeIntervalSinceReferenceDate: Double(random.below(5)) * 1_000.5)
        dueDay = maybe(Date(timeIntervalSinceReferenceDate: -Double(random.below(5))))
        year = random.pick([.min, -1, 0, 1965, .max])
        lastYear = maybe(1960 + random.below(4))
        count = random.pick([.min, 0, .max])
        size = maybe(random.pick([0, 1, .max]))
        token = Self.uuid(random.below(3))
        link = maybe(Self.uuid(random.below(3)))
        stamp = Data(repeating: 7, count: random.below(3))
        sender = Sender(name: random.pick(["Dick", "Le Guin"]))
        let house = Receiver.House(number: Double(random.below(4)) / 2, floor: maybe(random.below(3) - 1))
        receiver = Receiver(name: random.pick(["Lem", "é", ""]), house: house, sender: sender)
        labels = ["new", "é", "", "far away", "new"].filter { _ in random.percent(40) }
    }

    static func uuid(_ number: Int) -> UUID { UUID(uuidString: "8F3E4C0A-0000-4000-8000-00000000000\(number)")! }
}

enum Kept {}
enum NotGiven {}

extension Parcel: YapPlainCodable where Promise == Kept {}

extension Parcel {
    /// A condition of every kind, on a property of every kind.
    static func condition(_ random: inout SplitMix64, depth: Int = 2) -> YapCondition<Parcel> {
        if depth > 0, random.percent(60) {
            let a = condition(&random, depth: depth - 1)
            switch random.below(3) {
            case 0: return a && condition(&random, depth: depth - 1)
            case 1: return a || condition(&random, depth: depth - 1)
            default: return !a
            }
        }
        let date = Date(timeIntervalSinceReferenceDate: Double(random.below(5)) * 1_000.5)
        let uuid = uuid(random.below(3))
        let half = Double(random.below(4)) / 4
        switch random.below(31) {
        case 0: return \.title == random.pick(["Dune", "é", ""])
        case 1: return \.title ~= ["Ubik", "\"\\/\n"]
        case 2: return \.title < "b"
        case 3: return \.note != "short"
        case 4: return \.note == nil
        case 5: return \.note != nil
        case 6: return \.shelf == .attic
        case 7: return \.oldShelf == .cellar
        case 8: return \.oldShelf != nil
        case 9: return \.level > .low
        case 10: return \.oldLevel <= .low
        case 11: return \.isOwned == true
        case 12: return \.isRead != true
        case 13: return \.price >= 0
        case 14: return \.price == 0
        case 15: return \.discount < half
        case 16: return \.weight <= 0.25
        case 17: return \.day >= date
        case 18: return \.dueDay > Date(timeIntervalSinceReferenceDate: -2)
        case 19: return \.year ~= -1...2_000
        case 20: return \.lastYear ~= [1960, nil]
        case 21: return \.count < 1
        case 22: return \.size >= 1
        case 23: return \.token == uuid
        case 24: return \.link == uuid
        case 25: return \.stamp != Data()
        case 26: return \.receiver.name != "é"
        case 27: return \.receiver.house.floor < 1
        case 28: return \.receiver.house.number ~= 0.5...1
        case 29: return \.receiver.sender.name < "E"
        default: return \.sender.name == "Dick"
        }
    }

    typealias List = YapList<Parcel, Int, Never>

    /// A list for each kind of group, with a condition and without, and with each kind of order.
    static func lists(of parcels: YapCollection<Parcel, Int, Never>, where condition: YapCondition<Parcel>) -> [List] {
        [
            List("title", of: parcels, groupedBy: \.title, sortedBy: .ascending(\.price)),
            List("note", of: parcels, groupedBy: \.note, sortedBy: .descending(\.day)),
            List("shelf", of: parcels, groupedBy: \.shelf, sortedBy: .ascending(\.year), where: condition),
            List("old shelf", of: parcels, groupedBy: \.oldShelf, sortedBy: .ascending(\.weight)),
            List("level", of: parcels, groupedBy: \.level),
            List("old level", of: parcels, groupedBy: \.oldLevel, sortedBy: .ascending(\.id), where: condition),
            List("owned", of: parcels, groupedBy: \.isOwned, sortedBy: .ascending(\.year)),
            List("read", of: parcels, groupedBy: \.isRead, sortedBy: .ascending(\.title), where: condition),
            List("year", of: parcels, groupedBy: \.year, sortedBy: .ascending(\.lastYear), .ascending(\.price)),
            List("last year", of: parcels, groupedBy: \.lastYear, sortedBy: .ascending(\.price), where: condition),
            List("token", of: parcels, groupedBy: \.token, sortedBy: .ascending(\.day), where: condition),
            List("link", of: parcels, groupedBy: \.link),
            List("sender", of: parcels, groupedBy: \.sender.name, sortedBy: .ascending(\.day), where: condition),
            List(
                "house", of: parcels, groupedBy: \.receiver.house.floor, sortedBy: .descending(\.receiver.house.number)),
            List("receiver", of: parcels, groupedBy: \.receiver.name, sortedBy: .ascending(\.receiver.house.floor)),
            List("all", of: parcels, sortedBy: .ascending(\.discount), where: condition),
            List(
                "closure", of: parcels, sortedBy: .ascending(\.day), where: condition, versionTag: "1",
                groupedBy: { $0.isOwned ? $0.title : nil }),
        ]
    }
}

/// How many properties a stored value names; nil if it cannot be read. One that is named twice counts once: which of the two counts is
/// not defined, and no encoder writes it.
func countOfNames(_ bytes: Data, _ format: YapDatabaseCodableFormat) -> Int? {
    struct Anything: Decodable { init(from decoder: any Decoder) {} }
    return try? bytes.withUnsafeBytes { try format.decode([String: Anything].self, $0) }.count
}
