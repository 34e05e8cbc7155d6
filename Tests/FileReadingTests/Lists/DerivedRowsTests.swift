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
