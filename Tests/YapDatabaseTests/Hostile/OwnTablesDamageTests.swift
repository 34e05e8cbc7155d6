import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// One lost row, and one damaged row of a table of the library's own, cost themselves: never the writes of other rows, what was stored by hand, or
/// the way out that an error names.
@Suite struct OwnTablesDamageTests {
    struct Song: YapPlainCodable, Equatable, Sendable, Identifiable {
        var id: Int
        var title: String
        var artist = "someone"
        var album: Int?
        var length: Double
    }

    private static let songs = YapCollection("songs", of: Song.self)
    private static let count = 60

    private static func song(_ id: Int, album: Int? = 1) -> Song {
        Song(id: id, title: "song \(id)", album: album, length: Double(id * 37 % 100))
    }

    // MARK: Lists

    private static func lists(tag: String = "") -> [YapList<Song, Int, Never>] {
        [
            YapList("byLength", of: songs, sortedBy: .ascending(\.length)),
            YapList("byTitle", of: songs, sortedBy: .descending(\.title), .ascending(\.length)),
            YapList(
                "byBlock", of: songs, sortedBy: .by { $0.length < $1.length ? .orderedAscending : .orderedDescending },
                versionTag: "1" + tag),
        ]
    }

    /// The row is removed behind the back of all lists.
    @Test(arguments: [0, 20, count - 1]) func aLostRowKeepsNoOtherFromBeingWritten(lost: Int) throws {
        try withDamage(
            "DELETE FROM database2 WHERE key = '\(lost)'",
            register: { for list in Self.lists() { try $0.register(list) } }
        ) { database throws in
            let connection = try database.newConnection()
            for id in (0..<Self.count + 10) where id != lost {
                var song = Self.song(id)
                song.length = Double((id * 61 + 5) % 100)
                try connection.readWrite { try $0[Self.songs].save(song) }
            }
            // The place of the row that is gone is not hidden, unless the first new row has its rowid.
            let isLast = lost == Self.count - 1
            for list in Self.lists() {
                let ids = try? connection.read { try $0[list].values().map(\.id) }
                #expect((ids == nil) != isLast && ids.map { Set($0).count == $0.count } ?? true)
            }
            try database.close()
            let problems = try YapDatabase.check(url: database.databaseURL)
            #expect(
                Set(problems.compactMap(\.extensionName)) == (isLast ? [] : ["byLength", "byTitle", "byBlock"]),
                "\(problems)")
            let mended = try YapDatabase(url: database.databaseURL, options: .forTests)
            for name in ["byLength", "byTitle", "byBlock"] { try mended.unregisterExtension(withName: name) }
            for list in Self.lists() { try mended.register(list) }
            for list in Self.lists() {
                let found = try mended.newConnection().read { try $0[list].values() }
                #expect(found.count == Self.count + 9 && Set(found.map(\.id)).count == found.count)
            }
            try mended.close()
        }
    }

    // MARK: Indexes

    private static let index = YapIndex("index", of: songs, on: \.title)
    private static let texts = YapTextIndex("texts", of: songs, on: \.title)
    private static let map = YapRTreeIndex("map", of: songs, on: .at(\.length))

    private static func registerIndexes(_ database: YapDatabase) throws {
        try database.register(index)
        try database.register(texts)
        try database.register(map)
    }

    /// A new row gets the rowid of the last one, under which the indexes have an entry of the lost row.
    @Test func aNewRowTakesTheEntriesOfTheLastOne() throws {
        try withDamage(
            "DELETE FROM database2 WHERE key = '\(Self.count - 1)'", register: Self.registerIndexes
        ) { database throws in
            let connection = try database.newConnection()
            for id in 100..<105 { try connection.readWrite { try $0[Self.songs].save(Self.song(id)) } }
            try connection.read { transaction throws in
                let named = try transaction[Self.songs].where(\.title == "song 100").values()
                #expect(named.map(\.id) == [100])
                let gone = try transaction[Self.songs].where(\.title == "song \(Self.count - 1)").values()
                #expect(gone.isEmpty)
                #expect(try transaction[Self.texts].values(matching: .phrase("song 100")).map(\.id) == [100])
                let near = try transaction[Self.map].values(
                    overlapping: .range(Self.song(100).length...Self.song(100).length))
                #expect(near.contains { $0.id == 100 })
            }
            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL).isEmpty)
        }
    }

    /// SQLite cannot even drop a virtual table whose own tables are damaged.
    @Test(arguments: [
        "DELETE FROM fts_texts_config", "UPDATE fts_texts_data SET block = x'00' WHERE id = 10",
        "UPDATE fts_texts_data SET block = x'ffffffffffffffff' WHERE id = 10", "DROP TABLE fts_texts_data",
        "UPDATE rTreeIndex_map_node SET data = x'0001' WHERE nodeno = 1",
        "UPDATE rTreeIndex_map_node SET data = zeroblob(5) WHERE nodeno = 1", "DROP TABLE rTreeIndex_map_node",
    ]) func aDamagedVirtualTableIsMadeAgain(sql: String) throws {
        try withDamage(sql, register: Self.registerIndexes) { database throws in
            let connection = try database.newConnection()
            let name = sql.contains("texts") ? "texts" : "map"
            do {
                try connection.readWrite { try $0[Self.songs].save(Self.song(7, album: 2)) }
            } catch let error as YapDatabaseError {
                #expect(error.message.contains("\"\(name)\""), "\(error)")
            }
            try database.unregisterExtension(withName: name)
            if name == "texts" { try database.register(Self.texts) } else { try database.register(Self.map) }
            for id in [3, 200] { try connection.readWrite { try $0[Self.songs].save(Self.song(id, album: 3)) } }
            #expect(try connection.read { try $0[Self.texts].values(matching: .phrase("song 200")).map(\.id) } == [200])
            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL).isEmpty)
        }
    }

    /// The same where only `yap repair` looks at the file.
    @Test(arguments: ["DELETE FROM fts_texts_config", "UPDATE rTreeIndex_map_node SET data = x'0001' WHERE nodeno = 1"])
    func aProgramWithAnotherTagFindsAWayOut(sql: String) throws {
        try withDamage(sql, register: Self.registerIndexes) { database throws in
            try database.close()
            let other = try YapDatabase(url: database.databaseURL, options: .forTests)
            if sql.contains("texts") {
                try other.register(YapTextIndex("texts", of: Self.songs, on: \.title, \.artist))
            } else {
                try other.register(YapRTreeIndex("map", of: Self.songs, on: .at(\.length), .at(\.album)))
            }
            try other.newConnection().readWrite { try $0[Self.songs].save(Self.song(300)) }
            try other.close()
            #expect(try YapDatabase.check(url: other.databaseURL).isEmpty)
        }
    }

    // MARK: By hand

    private static let likes = YapRelation("likes", of: songs, to: songs)
    private static let playlist = YapList.manual("playlist", of: songs)
    private static let albums = YapCollection("albums", of: Song.self)
    private static let onAlbum = YapRelation("onAlbum", of: songs, from: \.album, to: albums, onDelete: .deleteSource)

    private static func cloud() -> YapDatabaseCloudCore {
        let cloud = YapDatabaseCloudCore(versionTag: "1", options: nil)
        cloud.registerPipeline(
            YapDatabaseCloudCorePipeline(name: YapDatabaseCloudCoreDefaultPipelineName, delegate: Nowhere()))
        return cloud
    }

    private final class Nowhere: YapDatabaseCloudCorePipelineDelegate {
        func startOperation(
            _ operation: YapDatabaseCloudCoreOperation, forPipeline pipeline: YapDatabaseCloudCorePipeline
        ) {}
    }

    /// What nothing can be filled again with stays, whatever became of the entry of its extension.
    @Test(arguments: [
        "UPDATE yap2 SET data = data || 'x' WHERE key = 'class' AND extension IN ('likes', 'playlist', 'cloud')",
        "UPDATE yap2 SET data = x'00' WHERE key = 'class' AND extension IN ('likes', 'playlist', 'cloud')",
        "DELETE FROM yap2 WHERE key = 'class' AND extension IN ('likes', 'playlist', 'cloud')",
        "DELETE FROM yap2 WHERE extension IN ('likes', 'playlist', 'cloud')",
    ]) func whatWasStoredByHandStays(sql: String) throws {
        func register(_ database: YapDatabase) throws {
            try database.register(Self.likes)
            try database.register(Self.playlist)
            try database.register(Self.cloud(), withName: "cloud")
        }
        try withDamage(
            sql, register: register,
            fill: { transaction throws in
                try transaction[Self.likes].link(1, to: 2)
                try transaction[Self.playlist].append(5)
                try transaction[Self.playlist].append(3)
                let cloud = try #require(transaction.ext("cloud") as? YapDatabaseCloudCoreTransaction)
                try cloud.addOperation(YapDatabaseCloudCoreOperation())
            }
        ) { database throws in
            try database.newConnection().read { transaction throws in
                #expect(try transaction[Self.likes].targets(of: 1).map(\.id) == [2])
                #expect(try transaction[Self.playlist].values().map(\.id) == [5, 3])
            }
            let cloud = try #require(database.registeredExtension("cloud") as? YapDatabaseCloudCore)
            #expect(cloud.defaultPipeline()?.graphCount() == 1)
            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL).isEmpty)
        }
    }

    /// A new row gets the rowid of a lost one, and not its edges: the rule of one of them would delete it.
    @Test func aNewRowInheritsNoEdges() throws {
        try withDamage(
            "DELETE FROM database2 WHERE collection = 'songs' AND key = '\(Self.count - 1)'",
            register: { try $0.register(Self.onAlbum) }
        ) { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Self.songs].save(Self.song(500, album: nil)) }
            try connection.readWrite { try $0[Self.albums].remove(1) }
            #expect(try connection.read { try $0[Self.songs].keys() } == [500])
            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL).isEmpty)
        }
    }

    /// It is an error to read it; the rows at its ends are written and removed as others are, and a row that is written names its edges again.
    @Test(arguments: ["'x'", "1.5"]) func anEdgeThatLeadsNowhereKeepsNoRowFromBeingWritten(end: String) throws {
        let songs = "(SELECT rowid FROM database2 WHERE collection = 'songs' AND CAST(key AS INTEGER) < 4)"
        let damages = ["onAlbum", "likes"].map {
            "UPDATE \"relationship_\($0)\" SET dst = \(end) WHERE src IN \(songs)"
        }
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let made = try YapDatabase(url: url, options: .forTests)
            try made.register(Self.onAlbum, Self.likes)
            try made.newConnection().readWrite { transaction throws in
                try transaction[Self.albums].save(Self.song(1, album: nil))
                for id in 0..<Self.count { try transaction[Self.songs].save(Self.song(id)) }
                for id in 0..<4 { try transaction[Self.likes].link(id, to: 10) }
            }
            try made.close()
            for sql in damages { try damage(url, sql) }
            let database = try YapDatabase(url: url, options: .forTests)
            try database.register(Self.onAlbum, Self.likes)
            let connection = try database.newConnection()
            #expect(throws: YapDatabaseError.self) { try connection.read { _ = try $0[Self.likes].targets(of: 0) } }
            try connection.readWrite { transaction throws in
                var song = Self.song(0)
                song.title = "other"
                try transaction[Self.songs].save(song)
                try transaction[Self.songs].remove(1)
                try transaction[Self.songs].remove(2)
                try transaction[Self.songs].save(Self.song(2))
                try transaction[Self.likes].link(2, to: 11)
            }
            #expect(try connection.read { try $0[Self.onAlbum].targets(of: 0).map(\.id) } == [1])
            #expect(try connection.read { try $0[Self.likes].targets(of: 2).map(\.id) } == [11])
            // The rule deletes the sources that are known to name the album.
            try connection.readWrite { try $0[Self.albums].remove(1) }
            #expect(try connection.read { try $0[Self.songs].keys() } == [3])
            try connection.readWrite { try $0[Self.songs].remove(3) }
            try database.close()
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }

    /// The advice is another version tag, which helps, and not a backup.
    @Test func aDerivedTableThatIsDamagedIsNoLoss() throws {
        let joined = YapJoin("onAlbums", of: Self.songs, joining: \.album, to: Self.albums)
        let list = YapList("byAlbum", of: joined.rows, sortedBy: .ascending(\.row.title))
        func register(_ database: YapDatabase) throws { try database.register(joined, list) }
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let made = try YapDatabase(url: url, options: .forTests)
            try register(made)
            try made.newConnection().readWrite { transaction throws in
                try transaction[Self.albums].save(Self.song(1, album: nil))
                try transaction[Self.songs].save([Self.song(1), Self.song(2)])
            }
            try made.close()
            // The index keeps what it has, as after a changed byte of the table.
            let indexes = "type = 'index' AND tbl_name LIKE 'derived\\_onAlbums%' ESCAPE '\\'"
            try damage(
                url, "PRAGMA writable_schema = ON", "CREATE TABLE kept AS SELECT * FROM sqlite_master WHERE \(indexes)",
                "DELETE FROM sqlite_master WHERE \(indexes)")
            try damage(url, "UPDATE \"derived_onAlbums.rows\" SET place = 'p'")
            try damage(url, "PRAGMA writable_schema = ON", "INSERT INTO sqlite_master SELECT * FROM kept")
            try damage(url, "DROP TABLE kept")
            let problems = try YapDatabase.check(url: url)
            #expect(!problems.isEmpty && problems.allSatisfy { $0.kind == .rebuildable }, "\(problems)")
            let database = try YapDatabase(url: url, options: .forTests)
            for name in try database.previouslyRegisteredExtensionNames() {
                try database.unregisterExtension(withName: name)
            }
            try register(database)
            #expect(try database.newConnection().read { try $0[list].values().map(\.row.id) } == [1, 2])
            try database.close()
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }

    /// Makes a file with songs, damages it while it is closed, and opens it again with the same extensions.
    private func withDamage(
        _ sql: String, register: (YapDatabase) throws -> Void,
        fill: (YapDatabaseReadWriteTransaction) throws -> Void = { _ in }, _ body: (YapDatabase) throws -> Void
    ) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let made = try YapDatabase(url: url, options: .forTests)
            try register(made)
            try made.newConnection().readWrite { transaction throws in
                try transaction[Self.albums].save(Self.song(1, album: nil))
                for id in 0..<Self.count { try transaction[Self.songs].save(Self.song(id)) }
                try fill(transaction)
            }
            try made.close()
            try damage(url, sql)
            let database = try YapDatabase(url: url, options: .forTests)
            try register(database)
            try body(database)
        }
    }

    private func damage(_ url: URL, _ statements: String...) throws {
        let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
        for sql in statements { try handle.execute(sql) }
        #expect(handle.changes > 0 || statements.last!.hasPrefix("DROP"))
    }
}
