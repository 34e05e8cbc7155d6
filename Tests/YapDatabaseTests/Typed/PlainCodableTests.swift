import Foundation
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Lists of types that promise to be stored as they are declared.
@Suite struct PlainCodableTests {
    /// The same list of a type that promises it and of one that does not, with the same values.
    private func compare<Field: Comparable & Codable & Sendable>(
        _ format: YapDatabaseCodableFormat, _ isDescending: Bool,
        _ field: (inout SplitMix64) -> Field
    ) throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        let plain = YapCollection("plain", of: Plain<Field>.self, as: format)
        let other = YapCollection("other", of: Other<Field>.self, as: format)
        let lists = (
            YapList(
                "plain list", of: plain, groupedBy: \.shelf,
                sortedBy: isDescending ? .descending(\.place) : .ascending(\.place)),
            YapList(
                "other list", of: other, groupedBy: \.shelf,
                sortedBy: isDescending ? .descending(\.place) : .ascending(\.place))
        )
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            for round in 0..<12 {
                if round == 4 || round == 8 {
                    try database.register(lists.0)
                    try database.register(lists.1)
                }
                if round == 7 {
                    try database.unregisterExtension(withName: "plain list")
                    try database.unregisterExtension(withName: "other list")
                }
                try connection.readWrite { transaction throws in
                    for _ in 0..<(round == 5 ? 300 : 40) {
                        let (id, shelf) = (random.below(500), "shelf \(random.below(3))")
                        let place = field(&random)
                        try transaction[plain].save(Plain(id: id, note: "é \(id)", shelf: shelf, place: place))
                        try transaction[other].save(Other(id: id, note: "é \(id)", shelf: shelf, place: place))
                    }
                }
            }
            try connection.read { transaction throws in
                let (one, two) = (try transaction[lists.0], try transaction[lists.1])
                #expect(one.groups == two.groups)
                for group in one.groups {
                    let ids = (try one.values(in: group).map(\.id), try two.values(in: group).map(\.id))
                    #expect(ids.0 == ids.1, "seed \(seed), \(group)")
                }
            }
        }
    }

    @Test(arguments: [false, true]) func rowsHaveTheSamePlacesAsWithoutThePromise(isDescending: Bool) throws {
        for format in Effort.some([YapDatabaseCodableFormat.propertyList, .json]) {
            try compare(format, isDescending) { Double(Int64(bitPattern: $0.next())) / 1e6 }
            try compare(format, isDescending) { Int(truncatingIfNeeded: $0.next()) }
            try compare(format, isDescending) { $0.below(40) - 20 }
            try compare(format, isDescending) { UInt64($0.next()) }
            try compare(format, isDescending) { Int32(truncatingIfNeeded: $0.next()) }
            try compare(format, isDescending) { Float($0.below(1_000)) / 8 }
            try compare(format, isDescending) { Date(timeIntervalSinceReferenceDate: Double($0.below(1_000_000))) }
            try compare(format, isDescending) { "text \($0.below(100))" }
        }
    }

    @Test func fewRowsAreDecodedWhileAListIsFilledAndARowMoves() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for id in 0..<2_000 { try transaction[Counted.all].save(Counted(id: id, place: Double(id))) }
            }
            try database.register(Counted.list)
            let filled = Counted.decodings.load(ordering: .relaxed)
            #expect(filled < 100, "\(filled) of 2,000 rows were decoded.")
            var random = SplitMix64(seed: 4)
            for _ in 0..<50 {
                let row = Counted(id: random.below(2_000), place: Double(random.below(2_000)) + 0.5)
                try connection.readWrite { try $0[Counted.all].save(row) }
            }
            #expect(Counted.decodings.load(ordering: .relaxed) < filled + 100)
            let places = try connection.read { try $0[Counted.list].values().map(\.place) }
            #expect(places.count == 2_000 && places == places.sorted())
        }
    }

    @Test func aRowWithoutThePropertyIsDecodedAsAWhole() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for id in 0..<10 { try transaction[Counted.all].save(Counted(id: id, place: Double(id))) }
                // As an older version of the program stored it.
                let old = #"{"id":10}"#
                try transaction.setObject(
                    Counted(id: 10, place: 4.5), forKey: "10", inCollection: "counted", withMetadata: nil,
                    serializedObject: Data(old.utf8), serializedMetadata: nil)
            }
            try connection.flushMemory()
            try database.register(Counted.list)
            let ids = try connection.read { try $0[Counted.list].values().map(\.id) }
            #expect(ids == [10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        }
    }

    @Test func aBrokenPromiseIsFoundAndWholeValuesAreDecoded() throws {
        try expectBrokenPromise(of: "Renamed") {
            try withTemporaryDatabase { database throws in
                let connection = try database.newConnection()
                // More rows than one chunk has.
                try connection.readWrite { transaction throws in
                    for id in 0..<2_000 {
                        try transaction[Renamed.all].save(Renamed(id: id, place: -Double(id), level: Double(id)))
                    }
                }
                try database.register(Renamed.list)
                try connection.readWrite { try $0[Renamed.all].save(Renamed(id: 7, place: 0.5, level: -9_999)) }
                let ids = try connection.read { try $0[Renamed.list].values().map(\.id) }
                #expect(ids == (0..<2_000).reversed().filter { $0 != 7 } + [7])
            }
        }
    }

    @Test func valuesThatCannotBeDecodedAreNoBrokenPromise() throws {
        let promise = StoredPromise<Renamed>()
        let format = YapDatabaseCodableFormat.json
        func answer(_ text: String) -> Double? {
            Data(text.utf8).withUnsafeBytes { bytes in
                promise.answer({ try $0.value(Double.self, of: "place") }, bytes, format, whole: \.place)
            }
        }
        for _ in 0..<20 { #expect(answer(#"{"place":1}"#) == 1) }
        for place in 0..<16 { #expect(answer(#"{"id":1,"place":\#(place),"level":\#(place)}"#) == Double(place)) }
        // The first 16 rows agreed.
        #expect(answer(#"{"id":1,"place":1,"level":2}"#) == 1)
    }

    @Test func oneRowThatDisagreesEndsTheTrust() throws {
        try expectBrokenPromise(of: "Renamed") {
            let promise = StoredPromise<Renamed>()
            let format = YapDatabaseCodableFormat.json
            func answer(_ place: Int, level: Int) -> Double? {
                Data(#"{"id":1,"place":\#(place),"level":\#(level)}"#.utf8).withUnsafeBytes { bytes in
                    promise.answer({ try $0.value(Double.self, of: "place") }, bytes, format, whole: \.place)
                }
            }
            for _ in 0..<15 { #expect(answer(4, level: 4) == 4) }
            #expect(answer(4, level: 5) == nil)
            for _ in 0..<20 { #expect(answer(4, level: 4) == nil) }
        }
    }
}

/// Expects one message that a type does not keep its promise.
func expectBrokenPromise(of type: String, _ body: () throws -> Void) throws {
    let messages = Locked<[String]>([])
    YapDatabase.setLogHandler { message in messages.withLock { $0.append(message.message) } }
    defer { YapDatabase.setLogHandler(nil) }
    try body()
    let told = messages.withLock { $0 }
    #expect(told.count == 1 && told[0].hasPrefix("\(type) is declared as YapPlainCodable"), "\(told)")
}

private struct Plain<Field: Comparable & Codable & Sendable>: YapPlainCodable, Identifiable, Sendable {
    var id: Int
    var note: String
    var shelf: String
    var place: Field
}

private struct Other<Field: Comparable & Codable & Sendable>: Codable, Identifiable, Sendable {
    var id: Int
    var note: String
    var shelf: String
    var place: Field
}

/// A row that counts how often one is decoded, and reads what an older version of it stored.
private struct Counted: YapPlainCodable, Sendable, Identifiable {
    static let all = YapCollection("counted", of: Counted.self, as: .json)
    static let list = YapList("by place", of: all, sortedBy: .ascending(\.place))
    static let decodings = Atomic(0)

    var id: Int
    var place: Double

    init(id: Int, place: Double) { (self.id, self.place) = (id, place) }

    init(from decoder: any Decoder) throws {
        Self.decodings.add(1, ordering: .relaxed)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        place = try container.decodeIfPresent(Double.self, forKey: .place) ?? -1
    }
}

/// A type that is not what it promises: another property has the name of the key.
private struct Renamed: YapPlainCodable, Sendable, Identifiable {
    static let all = YapCollection("renamed", of: Renamed.self)
    static let list = YapList("by place", of: all, sortedBy: .ascending(\.place))

    enum CodingKeys: String, CodingKey {
        case id
        case place = "level"
        case level = "place"
    }

    var id: Int
    var place: Double
    var level: Double
}
