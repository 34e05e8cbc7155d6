import FileEngine
import Foundation
import TestSupport
import Testing
import YapDatabase

@testable import FileReading

/// Files with lists of groups, whose rows are in a table of their own.
@Suite struct DerivedRowsTests {
    private struct Message: Codable, Sendable, Identifiable {
        var id: Int
        var room: String
    }

    private static let messages = YapCollection("messages", of: Message.self)
    private static let rooms = YapList("rooms", of: messages, groupedBy: \.room, sortedBy: .ascending(\.id))
    private static let inbox = YapList("inbox", groupsOf: rooms, sortedBy: .descending(\.count))

    private func withFile(_ body: (String) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let database = try YapDatabase(url: url)
            try database.newConnection().readWrite { transaction in
                for id in 0..<20 { try transaction[Self.messages].save(Message(id: id, room: "room \(id % 7 / 3)")) }
            }
            try database.register(Self.rooms, Self.inbox)
            try database.close()
            try body(url.path)
        }
    }

    @Test func aListOfGroupsIsShown() throws {
        try withFile { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let content = try ListContent(.view("inbox", groups: nil), snapshot, catalog: snapshot.catalog())
            let rows = try content.allRowids().map { try snapshot.row($0) }
            #expect(rows.map(\.error) == [nil, nil, nil])
            #expect(rows.compactMap { $0.address?.key.text } == ["room 0", "room 1", "room 2"])
            #expect(rows.allSatisfy { $0.object?.content != .null })
        }
    }

    @Test func aGroupsRowNamesTheGroup() throws {
        try withFile { path in
            #expect(try origins(of: "room 1", derivedBy: "inbox", path) == [.group(view: "rooms", name: "room 1")])
            let snapshot = try BrowsedFile(path: path).snapshot
            let rowid = try #require(try snapshot.rowid(StoredText(derivedBy: "inbox"), StoredText("room 1")))
            let membership = try RowMembership(rowid, snapshot, snapshot.catalog())
            #expect(membership.origins == [.group(view: "rooms", name: "room 1")] && membership.problems == [])
            let json = String(decoding: membership.json(), as: UTF8.self)
            #expect(json.contains(#""from":[{"view":"rooms","group":"room 1"}]"#), "\(json)")
            #expect(try snapshot.row(rowid).address?.words == "inbox/room 1")
        }
    }

    private struct Seat: Codable, Sendable, Identifiable {
        var id: String
        var person: String
        var room: String
        var tags: [String]
    }

    private struct Person: Codable, Sendable, Identifiable {
        var id: String
    }

    private static let seats = YapCollection("seats", of: Seat.self)
    private static let people = YapCollection("people", of: Person.self)
    private static let sitters = YapJoin("sitters", of: seats, joining: \.person, to: people)
    private static let places = YapJoin("places", of: sitters.rows, joining: \.row.room, to: inbox.collection)
    private static let roster = YapList(
        "roster", of: places.rows, groupedBy: \.other.name, sortedBy: .ascending(\.row.row.id))
    private static let tagged = YapList("tagged", of: seats, groupedByEach: \.tags, sortedBy: .ascending(\.row.id))

    /// A joined row that no list has stands for its own; the keys are those that a person knows.
    @Test func joinedRowsNameTheRowsThatTheyJoin() throws {
        try withFile { path in
            let database = try YapDatabase(url: URL(filePath: path))
            try database.register(Self.rooms, Self.inbox, Self.sitters, Self.places, Self.roster, Self.tagged)
            try database.newConnection().readWrite { transaction in
                try transaction[Self.people].save(Person(id: "ada"))
                let seat = Seat(id: "1:a", person: "ada", room: "room 1", tags: ["window", "1:b"])
                try transaction[Self.seats].save(seat)
            }
            try database.close()
            func rows(_ origins: [RowOrigin]) -> [String] {
                origins.map {
                    guard case .row(_, let address, let field) = $0 else { return "a group" }
                    return "\(field) \(address.words)"
                }
            }
            #expect(
                try rows(origins(of: "1:a", derivedBy: "places", path)) == [
                    "row.row seats/1:a", "row.other people/ada", "other inbox/room 1",
                ])
            for tag in ["window", "1:b"] {
                #expect(try rows(origins(of: "3:1:a\(tag)", derivedBy: "tagged", path)) == ["row seats/1:a"])
            }
            #expect(try origins(of: "none", derivedBy: "places", path).isEmpty)
        }
    }

    private func origins(of key: String, derivedBy name: String, _ path: String) throws -> [RowOrigin] {
        let snapshot = try BrowsedFile(path: path).snapshot
        let address = BrowsedRow.Address(collection: StoredText(derivedBy: name), key: StoredText(key))
        return try snapshot.origins(of: address, in: snapshot.catalog())
    }

    /// What is exported is imported whole: the list is loaded, not filled again, and is right.
    @Test func aFileIsExportedAndImported() throws {
        try withFile { path in
            var bytes: [UInt8] = []
            let report = try FileExport(BrowsedFile(path: path)).report { bytes += $1 }
            #expect(report.damage == [])
            let copy = path + ".copy"
            let target = try FileImport(path: copy)
            for line in bytes.split(separator: 0x0A) { try target.add(Array(line)) }
            try target.end()
            #expect(target.leftOut == 0)
            #expect(try YapDatabase.check(url: URL(filePath: copy)).isEmpty)
            let database = try YapDatabase(url: URL(filePath: copy))
            try database.register(Self.rooms, Self.inbox)
            let connection = try database.newConnection()
            #expect(try connection.read { try $0[Self.inbox].values().map(\.count) } == [9, 9, 2])
            try connection.readWrite { try $0[Self.messages].save(Message(id: 99, room: "room 2")) }
            #expect(try connection.read { try $0[Self.inbox].values().map(\.count) } == [9, 9, 3])
            try database.close()
            #expect(try YapDatabase.check(url: URL(filePath: copy)).isEmpty)
        }
    }
}
