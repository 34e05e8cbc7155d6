import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

/// Items beside the library's own typed collections and lists.
@Suite struct TypedCollectionTests {
    /// Both protocols of the name.
    private struct Song: Persistable, Codable, Hashable, Swift.Identifiable {
        static let collection = "Songs"
        var identifier: Int
        var title: String
        var id: Int { identifier }
    }

    @Test func bothReadAndWriteTheSameRows() throws {
        let songs = YapCollection("Songs", of: Song.self)
        let byTitle = YapList("by title", of: songs, sortedBy: .ascending(\.title))
        try withDatabase { database, connection throws in
            try database.register(byTitle)
            try connection.write([Song(identifier: 1, title: "b"), Song(identifier: 2, title: "a")])
            try connection.readWrite { transaction throws in
                try transaction[songs].save(Song(identifier: 3, title: "c"))
                #expect(try Song.read(transaction).byKey("3")?.title == "c")
            }
            let other = try database.newConnection()
            #expect(try other.read { try $0[songs][2] } == Song(identifier: 2, title: "a"))
            #expect(try other.readAll() == (1...3).map { Song(identifier: $0, title: ["b", "a", "c"][$0 - 1]) })
            let titles = try other.read { try $0[byTitle].values().map(\.title) }
            #expect(titles == ["a", "b", "c"])
        }
    }

    /// What an app did before it used the extensions.
    @Test func rowsOfARegisteredEncodingAreItems() throws {
        try withDatabase { database, connection throws in
            database.registerCodableSerialization(Song.self, forCollection: "Songs")
            try connection.readWrite {
                try $0.setObject(Song(identifier: 1, title: "a"), forKey: "1", inCollection: "Songs")
            }
            #expect(try Song.read(connection).all() == [Song(identifier: 1, title: "a")])
            #expect(try connection.read { try $0.object(forKey: "1", inCollection: "Songs") } is Song)
        }
    }
}
