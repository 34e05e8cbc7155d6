import Foundation
import SQLiteBridge
import Testing
import YapDatabase

@testable import FileReading

/// Hostile and damaged files. The readable part is shown, and the rest is reported.
@Suite struct HostileFileTests {
    @Test(
        arguments: [
            ("UPDATE view_order_page SET prevPageKey = (SELECT max(pageKey) FROM view_order_page)", "fork"),
            ("UPDATE view_order_page SET prevPageKey = NULL", "two first pages"),
            ("UPDATE view_order_page SET prevPageKey = 'nowhere'", "does not have"),
            ("UPDATE view_order_page SET \"count\" = 1 << 62", "should hold 4611686018427387904 rows"),
            ("UPDATE view_order_page SET \"count\" = -1", "should hold -1 rows"),
            ("UPDATE view_order_page SET data = x'010203'", "has 3 bytes"),
            ("UPDATE view_order_page SET data = 'text'", "has no bytes"),
            ("UPDATE view_order_page SET data = NULL", "has no bytes"),
            ("UPDATE view_order_page SET prevPageKey = pageKey", "no first page"),
            ("UPDATE view_order_page SET prevPageKey = pageKey", "circle"),
        ])
    func damagedPagesAreNamedAndTheOthersShown(sql: String, sentence: String) throws {
        try withFile("books", changedBy: [sql]) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let catalog = try snapshot.catalog()
            let content = try ListContent(.view("order", groups: nil), snapshot, catalog: catalog)
            #expect(content.damage.contains { $0.contains(sentence) }, "\(content.damage)")
            // Every row on some page is shown once, whatever the chain.
            let bytes = try query(
                path, "SELECT sum(CASE typeof(data) WHEN 'blob' THEN length(data) / 8 ELSE 0 END) FROM view_order_page")
            #expect(try [[String(content.allRowids().count)]] == bytes)
            let books = try ListContent(.collection(StoredText("books"), by: .key), snapshot, catalog: catalog)
            #expect(books.count == 481)
            let listing = try FileListing(BrowsedFile(path: path))
            #expect(listing.views.first { $0.view.name == "order" }?.damage.isEmpty == false)
            #expect(listing.views.first { $0.view.name == "inStock" }?.damage == [])
        }
    }

    @Test(
        arguments: [
            ("DROP TABLE view_order_map", "no map table"),
            ("DELETE FROM yap2 WHERE extension = 'order'", "no entry in yap2"),
            ("DROP TABLE view_order_page", "no page table"),
            ("ALTER TABLE view_order_page RENAME COLUMN data TO other", "lacks columns"),
        ])
    func aViewThatLacksSomethingSaysSo(sql: String, sentence: String) throws {
        try withFile("books", changedBy: [sql]) { path in
            let listing = try FileListing(BrowsedFile(path: path))
            let view = try #require(listing.views.first { $0.view.name == "order" })
            #expect(view.damage.contains { $0.contains(sentence) }, "\(view.damage)")
            #expect(listing.collections.map(\.count) == [481])
        }
    }

    @Test func rowsThatAreNotThereAreShownAsSuch() throws {
        try withFile("books", changedBy: ["DELETE FROM database2 WHERE rowid % 2 = 0"]) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let list = BrowsedList(
                try ListContent(.view("order", groups: nil), snapshot, catalog: try snapshot.catalog()))
            let rows = try (0..<20).map { try #require(try list.row(at: .init(section: 0, row: $0))) }
            #expect(rows.allSatisfy { ($0.rowid % 2 == 0) == ($0.error?.contains("There is no row") ?? false) })
        }
    }

    @Test func aHugeValueIsReadOnlyAtItsBeginning() throws {
        let sql = "UPDATE database2 SET data = zeroblob(20000000), metadata = zeroblob(9000000) WHERE rowid = 1"
        try withFile("books", changedBy: [sql]) { path in
            let row = try BrowsedFile(path: path).snapshot.row(1)
            #expect(row.object?.size == 20_000_000 && row.object?.bytes?.count == FileSnapshot.valueBytes)
            #expect(row.metadata?.size == 9_000_000 && row.metadata?.isWhole == false)
            var json: [UInt8] = []
            ListedRow(row, decoder: RowDecoder()).appendJSON(to: &json)
            #expect(String(decoding: json, as: UTF8.self).contains(#""$size":20000000"#))
        }
    }

    @Test func aKeyTooLongToReadDoesNotHideTheOthers() throws {
        let sql = "UPDATE database2 SET key = 'book-' || hex(zeroblob(9000000)) WHERE rowid = 1"
        try withFile("books", changedBy: [sql]) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            #expect(try snapshot.row(1).error != nil)
            let content = try ListContent(
                .collection(StoredText("books"), by: .key), snapshot, catalog: try snapshot.catalog())
            #expect(content.count == 481)
        }
    }

    @Test(arguments: ["DROP TABLE database2", "DROP TABLE yap2", "ALTER TABLE database2 RENAME COLUMN key TO k"])
    func aFileWithoutATableIsShownAsFarAsItGoes(sql: String) throws {
        try withFile("books", changedBy: [sql]) { path in
            let listing = try FileListing(BrowsedFile(path: path))
            #expect(listing.views.contains { $0.groups.count == 5 })
            #expect(sql.contains("yap2") || !listing.notes.isEmpty)
        }
    }

    @Test func anOlderAndANewerLayoutAreShownWithASentence() throws {
        let older = [
            "CREATE TABLE database (collection CHAR NOT NULL, key CHAR NOT NULL, data BLOB, metadata BLOB, PRIMARY KEY (collection, key))",
            "INSERT INTO database SELECT collection, key, data, metadata FROM database2", "DROP TABLE database2",
            "PRAGMA user_version = 2",
        ]
        for changes in [older, ["PRAGMA user_version = 4"]] {
            try withFile("books", changedBy: changes) { path in
                let file = try BrowsedFile(path: path)
                #expect(file.notes.count == 1 && file.notes[0].contains("layout has version"))
                #expect(try FileListing(file).collections.map(\.count) == [481])
            }
        }
    }

    @Test func aTruncatedFileIsShownAsFarAsItGoes() throws {
        try withFile("books") { path in
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            try handle.truncate(atOffset: 4096 * 40)
            try handle.close()
            let file = try BrowsedFile(path: path)
            #expect(file.notes.contains { $0.contains("cut off") })
            #expect(try file.snapshot.catalog().views.count == 3)
        }
    }

    /// Cut off anywhere after the schema: every row that the table still leads to is in the list by rowids.
    @Test(arguments: [20, 30, 40, 50, 60]) func theRowsThatATruncatedFileStillHasAreShownAsStored(pages: Int) throws {
        try withFile("books") { path in
            let whole = try query(path, "SELECT rowid FROM database2 ORDER BY 1").map { Int64($0[0])! }
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            #expect(try handle.seekToEnd() > 4096 * pages)
            try handle.truncate(atOffset: UInt64(4096 * pages))
            try handle.close()
            let snapshot = try BrowsedFile(path: path).snapshot
            let readable = try whole.filter { rowid in
                try snapshot.work { store in
                    let sql = "SELECT collection FROM database2 NOT INDEXED WHERE rowid = \(rowid)"
                    return (try? store.first(sql) { _ in true }) == true
                }
            }
            let content = try ListContent(
                .collection(StoredText("books"), by: .rowid), snapshot, catalog: try snapshot.catalog())
            #expect(content.counts["books"]! > 0 || readable.first != whole.first)
            try content.loadAll()
            let shown = try content.allRowids()
            #expect(content.isComplete && Set(shown).isSuperset(of: readable), "\(shown.count) \(readable.count)")
            #expect(shown == shown.sorted() && Set(shown).count == shown.count)
            #expect(readable.count == 481 || content.loss?.contains("cannot be found") == true)
        }
    }

    @Test(arguments: ["", "SQLite format 3\0 and nothing more", "bplist00", String(repeating: "x", count: 5000)])
    func whatIsNoDatabaseIsRefusedWithASentence(text: String) throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "file").path
            try Data(text.utf8).write(to: URL(filePath: path))
            let error = #expect(throws: YapDatabaseError.self) { try BrowsedFile(path: path) }
            #expect(error?.message.contains(path) == true)
        }
    }

    /// Flipped bits anywhere give an answer or an error, and never a crash.
    @Test(arguments: [UInt64(20_261_120)]) func flippedBitsEndInAnAnswerOrAnError(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for name in originalFiles {
            try withFile(name) { path in
                let sound = try Data(contentsOf: URL(filePath: path))
                for _ in 0..<8 {
                    var bytes = sound
                    for _ in 0..<Int.random(in: 1...30, using: &random) {
                        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                            1 << UInt8.random(in: 0..<8, using: &random)
                    }
                    try bytes.write(to: URL(filePath: path))
                    _ = try? look(path)
                }
            }
        }
    }

    /// Reads everything.
    private func look(_ path: String) throws {
        let file = try BrowsedFile(path: path)
        let listing = try FileListing(file)
        _ = listing.text(.plain) + listing.text(.json)
        let subjects =
            listing.catalog.collections.map { ListSubject.collection($0, by: .key) }
            + listing.catalog.views.map { .view($0.name, groups: nil) } + [.smallValues]
        for subject in subjects {
            guard let content = try? ListContent(subject, file.snapshot, catalog: listing.catalog) else { continue }
            let printer = RowPrinter(.json, isGrouped: subject.isView) { _ in }
            try? content.enumerate(RowSelection(.first(20))) { stop in
                try printer.print(ListedRow(stop.row, decoder: RowDecoder()))
            }
        }
    }
}

extension ListContent {
    fileprivate var count: Int { counts.values.reduce(0, +) }
}
