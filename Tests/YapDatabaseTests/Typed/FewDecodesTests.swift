import Foundation
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// The rows that are decoded as a whole to check the promise: 16, and at most one more for each other piece of the rows that is placed
/// meanwhile. `OrderedWork` has twice as many pieces under way as there are processors.
private let checkedRows = 16...16 + 2 * ProcessInfo.processInfo.activeProcessorCount

/// How many whole values are decoded while lists, indexes and searches are filled, and what happens where a type does not keep its promise.
@Suite(.serialized) struct FewDecodesTests {
    /// The values that are decoded while a declaration is registered over 2,000 rows.
    private func decodings(of declaration: any YapDeclaration) throws -> Int {
        try withTemporaryDatabase { database throws in
            try database.newConnection().readWrite { transaction throws in
                for id in 0..<2_000 { try transaction[Ticket.all].save(Ticket(id)) }
            }
            let before = Ticket.decodings.load(ordering: .relaxed)
            try database.register(declaration)
            return Ticket.decodings.load(ordering: .relaxed) - before
        }
    }

    private func expectFewDecodings(of declaration: any YapDeclaration) throws {
        let count = try decodings(of: declaration)
        #expect(checkedRows.contains(count))
    }

    @Test func onlyTheFirstRowsAreDecodedToFillAListWithACondition() throws {
        let list = YapList(
            "open", of: Ticket.all, groupedBy: \.kind, sortedBy: .ascending(\.place),
            where: \.isOpen == true && !(\.owner == nil) || \.place ~= [1, 2])
        try expectFewDecodings(of: list)
        let groups = YapList("owners", of: Ticket.all, groupedBy: \.owner, sortedBy: .descending(\.place))
        try expectFewDecodings(of: groups)
    }

    @Test func onlyTheRowsOfAListAreDecodedWhereSeveralFieldsOrderIt() throws {
        let list = YapList(
            "few", of: Ticket.all, groupedBy: \.kind, sortedBy: .ascending(\.note), .ascending(\.place),
            where: \.place < 100)
        #expect(try decodings(of: list) <= 100 + 2 * 16)
    }

    /// Halving a page compares with 5.5 rows of it. The second field tells where to look, if the first is the same for all.
    @Test func placesAreEstimatedByTheFieldInWhichRowsDiffer() throws {
        let list = YapList("list", of: Ticket.all, sortedBy: .descending(\.note), .ascending(\.place))
        let moves = 200
        func ticket(_ id: Int, _ place: Double) -> Ticket {
            var ticket = Ticket(id)
            (ticket.note, ticket.place) = ("note \(id % 2)", place)
            return ticket
        }
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for id in 0..<20_000 { try transaction[Ticket.all].save(ticket(id, Double(id))) }
            }
            try database.register(list)
            let before = Ticket.decodings.load(ordering: .relaxed)
            var random = SplitMix64(seed: 5)
            for _ in 0..<moves {
                let moved = ticket(random.below(20_000), Double(random.below(20_000)) + 0.5)
                try connection.readWrite { try $0[Ticket.all].save(moved) }
            }
            let count = Ticket.decodings.load(ordering: .relaxed) - before
            #expect(count < 5 * moves, "\(count)")
            let found = try connection.read { try $0[list].values() }
            #expect(found.count == 20_000)
            #expect(zip(found, found.dropFirst()).allSatisfy { ($1.note, $0.place) <= ($0.note, $1.place) })
        }
    }

    @Test func onlyTheFirstRowsAreDecodedToFillAnIndexAndASearch() throws {
        try expectFewDecodings(of: YapIndex("fields", of: Ticket.all, on: \.kind, \.place, \.owner, \.isOpen))
        try expectFewDecodings(of: YapTextIndex("texts", of: Ticket.all, on: \.note, \.owner))
    }

    /// A row whose property has another type cannot be decoded, whether its fields are read or all of it.
    @Test func aRowWithAnotherTypeOfPropertyIsAnError() throws {
        let number = #"{"id":1,"place":1,"kind":"good","isOpen":1,"note":2}"#
        let unknown = #"{"id":1,"place":1,"kind":"other","isOpen":true,"note":""}"#
        let list = YapList("list", of: Ticket.all, sortedBy: .ascending(\.place), where: \.isOpen == true)
        try expectDamage(registering: list, over: number)
        try expectDamage(registering: YapList("kinds", of: Ticket.all, groupedBy: \.kind), over: unknown)
        try expectDamage(registering: YapIndex("index", of: Ticket.all, on: \.isOpen), over: number)
        try expectDamage(registering: YapIndex("index", of: Ticket.all, on: \.kind), over: unknown)
        try expectDamage(registering: YapTextIndex("texts", of: Ticket.all, on: \.note), over: number)
    }

    private func expectDamage(registering declaration: any YapDeclaration, over bytes: String) throws {
        var strict = YapDatabaseOptions.forTests
        strict.undecodableRows = .fail
        try withTemporaryDatabase(options: strict) { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Ticket.all].save(Ticket(0))
                try transaction.setObject(
                    Ticket(1), forKey: "1", inCollection: "tickets", withMetadata: nil,
                    serializedObject: Data(bytes.utf8), serializedMetadata: nil)
            }
            try connection.flushMemory()
            expectError(.decodingFailed, mentioning: "\(bytes.utf8.count) bytes") {
                try database.register(declaration)
            }
        }
    }

    @Test func aValueThatSQLiteCannotStoreIsTheErrorOfTheHandler() throws {
        let index = YapIndex("index", of: Linked.all, on: \.link)
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Linked.all].save(Linked(id: 1, link: Linked.Link(text: "a"))) }
            expectError(.encodingFailed, mentioning: "column \"link\"", "URL") { try database.register(index) }
            try connection.readWrite { try $0[Linked.all].removeAll() }
            try database.register(index)
            expectError(.encodingFailed, mentioning: "column \"link\"", "URL") {
                try connection.readWrite { try $0[Linked.all].save(Linked(id: 2, link: Linked.Link(text: "b"))) }
            }
        }
    }

    /// The keys of a dictionary are found beginning with the last that was found, so that another field decides which of two equal ones is.
    @Test func aKeyThatIsStoredTwiceStopsNothing() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for id in 0..<20 {
                    let value = Doubled(place: Double(id), id: id, plbce: Double(-id))
                    var bytes = try YapDatabaseCodableFormat.propertyList.encode(value)
                    bytes.replace(Data("plbce".utf8), with: Data("place".utf8))
                    try transaction.setObject(
                        Placed(id: id, place: 0), forKey: "\(id)", inCollection: Placed.all.name, withMetadata: nil,
                        serializedObject: bytes, serializedMetadata: nil)
                }
            }
            try connection.flushMemory()
            try database.register(Placed.list)
            let places = try connection.read { try $0[Placed.list].values().map(\.place) }
            #expect(places.count == 20 && places == places.sorted())
        }
    }

    @Test func aBrokenPromiseOfAConditionIsFound() throws {
        let list = YapList("list", of: Swapped.all, where: \.isOpen == true)
        let ids = try Swapped.with(list) { try $0[list].values().map(\.id) }
        #expect(ids.sorted() == Swapped.openIDs)
    }

    @Test func aBrokenPromiseOfAGroupIsFound() throws {
        let list = YapList("list", of: Swapped.all, groupedBy: \.isOpen)
        let ids = try Swapped.with(list) { try $0[list].values(in: "true").map(\.id) }
        #expect(ids.sorted() == Swapped.openIDs)
    }

    @Test func aBrokenPromiseOfAnIndexIsFound() throws {
        let ids = try Swapped.with(YapIndex("index", of: Swapped.all, on: \.isOpen)) {
            try $0[Swapped.all].where(\.isOpen == true).keys()
        }
        #expect(ids.sorted() == Swapped.openIDs)
    }
}

/// What the bytes of a damaged file may have twice under one key: the first of these two properties is stored for `place`, the other
/// renamed to it.
private struct Doubled: Codable, Identifiable, Sendable {
    static let all = YapCollection("places", of: Doubled.self)

    var place: Double
    var id: Int
    var plbce: Double
}

private struct Placed: YapPlainCodable, Identifiable, Sendable {
    static let all = YapCollection("places", of: Placed.self)
    static let list = YapList("by place", of: all, sortedBy: .ascending(\.place))

    var id: Int
    var place: Double
}

/// A row that counts how often one is decoded.
private struct Ticket: YapPlainCodable, Sendable, Identifiable {
    enum Kind: String, Codable, YapFieldValue, YapGroup {
        case good
        case bad
    }

    static let all = YapCollection("tickets", of: Ticket.self, as: .json)
    static let decodings = Atomic(0)

    var id: Int
    var place: Double
    var kind: Kind
    var isOpen: Bool
    var owner: String?
    var note: String

    init(_ id: Int) {
        (self.id, place, kind, isOpen) = (id, Double(id), id % 2 == 0 ? .good : .bad, id % 3 == 0)
        (owner, note) = (id % 5 == 0 ? nil : "owner \(id % 7)", "note \(id)")
    }

    init(from decoder: any Decoder) throws {
        Self.decodings.add(1, ordering: .relaxed)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        place = try container.decode(Double.self, forKey: .place)
        kind = try container.decode(Kind.self, forKey: .kind)
        isOpen = try container.decode(Bool.self, forKey: .isOpen)
        owner = try container.decodeIfPresent(String.self, forKey: .owner)
        note = try container.decode(String.self, forKey: .note)
    }
}

/// A row with a property of which an index makes a value that SQLite cannot store.
private struct Linked: YapPlainCodable, Sendable, Identifiable {
    struct Link: Codable, YapFieldValue {
        static var fieldType: YapDatabaseSecondaryIndexType { .text }

        var text: String
        var fieldValue: (any Sendable)? { URL(filePath: text) }
    }

    static let all = YapCollection("linked", of: Linked.self)

    var id: Int
    var link: Link
}

/// A type that is not what it promises: two properties have each other's keys.
private struct Swapped: YapPlainCodable, Sendable, Identifiable {
    static let all = YapCollection("swapped", of: Swapped.self)

    enum CodingKeys: String, CodingKey {
        case id
        case isOpen = "isRead"
        case isRead = "isOpen"
    }

    var id: Int
    var isOpen: Bool
    var isRead: Bool

    static let openIDs = (0..<2_000).filter { $0 % 3 == 0 }

    /// Registers a declaration over rows, expects that the broken promise is noticed, and returns what is read then.
    static func with<Answer>(
        _ declaration: any YapDeclaration, _ read: (YapDatabaseReadTransaction) throws -> Answer
    ) throws -> Answer {
        var answer: Answer?
        try expectBrokenPromise(of: "Swapped") {
            answer = try withTemporaryDatabase { database throws in
                let connection = try database.newConnection()
                try connection.readWrite { transaction throws in
                    for id in 0..<2_000 {
                        let isOpen = id % 3 == 0
                        try transaction[all].save(Swapped(id: id, isOpen: isOpen, isRead: !isOpen))
                    }
                }
                try database.register(declaration)
                return try connection.read(read)
            }
        }
        return try #require(answer)
    }
}
