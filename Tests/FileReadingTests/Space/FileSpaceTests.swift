import Foundation
import ListChanges
import SQLiteBridge
import Testing

@testable import FileReading

/// The bytes of each part are those that SQLite itself counts, page by page.
@Suite struct FileSpaceTests {
    private static let others = [
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)",
        "INSERT INTO notes SELECT rowid, hex(zeroblob(rowid * 40)) FROM database2",
        "CREATE INDEX longNotes ON notes (text)",
        "CREATE TABLE pairs (a TEXT, b BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID",
        "INSERT INTO pairs SELECT key, zeroblob(3000) FROM database2 LIMIT 50",
    ]

    @Test(arguments: originalFiles) func theyAreThoseOfItsPages(name: String) throws {
        try withFile(name, changedBy: Self.others) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let space = try #require(try FileSpace(snapshot))
            let size = try Int(query(path, "PRAGMA page_size")[0][0])!
            #expect(try space.total == size * Int(query(path, "PRAGMA page_count")[0][0])!)
            // The map of pages of a file that is shortened, and nothing else, belongs to no part.
            #expect(space.rest <= size * (space.total / size / (size / 5) + 2), "\(space.rest)")
            let rows = try query(
                path,
                "SELECT collection, count(*), sum(length(data) + coalesce(length(metadata), 0)) FROM database2 GROUP BY 1"
            )
            for row in rows {
                let found = try #require(space.collections[StoredText(row[0])])
                #expect(found.rows == Int(row[1]))
                // The record has the key and the name too.
                #expect(found.bytes > Int(row[2])! && found.bytes < Int(row[2])! + 200 * found.rows)
            }
            guard let counted = try? query(path, "SELECT name, count(*) FROM dbstat GROUP BY name") else { return }
            let pages = Dictionary(uniqueKeysWithValues: counted.map { ($0[0], Int($0[1])!) })
            func bytes(_ names: String...) -> Int { names.reduce(0) { $0 + (pages[$1] ?? 0) * size } }
            #expect(space.bytes[.rows] == bytes("database2"))
            #expect(space.bytes[.keys] == bytes("true_primary_key"))
            #expect(space.bytes[.table(ExactString("notes"))] == bytes("notes", "longNotes"))
            #expect(space.bytes[.table(ExactString("pairs"))] == bytes("pairs"))
            #expect(space.bytes[.smallValues] == bytes("yap2", "sqlite_autoindex_yap2_1"))
            for view in try snapshot.catalog().views {
                let page = "view_\(view.name)_page"
                #expect(
                    space.bytes[.extension(.view, view.name)]
                        == bytes(page, "sqlite_autoindex_\(page)_1", "view_\(view.name)_map"))
            }
        }
    }

    @Test func theListingHasThem() throws {
        try withFile("books", changedBy: Self.others) { path in
            let listing = try FileListing(BrowsedFile(path: path))
            let space = try #require(listing.space)
            let line = try #require(listing.table.first { $0.kind == "table" && $0.name == "notes" })
            #expect(
                line.bytes == space.bytes[.table(ExactString("notes"))] && line.count == "481"
                    && line.detail == "id text")
            let json = String(decoding: listing.json, as: UTF8.self)
            #expect(
                json.contains(#"{"name":"pairs","columns":["a","b"],"hasRowids":false,"count":50,"bytes":"#), "\(json)")
            let csv = String(decoding: listing.text(.csv), as: UTF8.self)
            #expect(csv.hasPrefix("kind,name,group,count,detail,bytes\r\n"))
        }
    }
}
