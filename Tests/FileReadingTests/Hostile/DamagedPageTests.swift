import Foundation
import SQLiteBridge
import TestSupport
import Testing
import YapDatabase

@testable import FileReading

/// One page of a file is overwritten, each in turn: the content of the others is exported and found.
@Suite struct DamagedPageTests {
    @Test func everyRowThatCanBeReadIsExportedAndTheRestIsSaid() throws {
        try withFile("books") { path in
            let sound = try export(path)
            #expect(sound.damage == [])
            var damagedPages = 0
            let pages = Effort.some(Array(try pages(path)))
            for page in pages {
                try withDamage(to: page, of: path) { damaged in
                    let (lines, damage) = try export(damaged)
                    let rows = lines.filter { $0.hasPrefix(#"{"table""#) }
                    #expect(rows.isSubset(of: sound.lines), "page \(page)")
                    // More than SQLite reads are found.
                    #expect(try rows.count(where: isRow) >= readableRows(damaged), "page \(page)")
                    // Missing rows are reported, and nothing else is, but for tables without an index: nothing says how many rows they had.
                    let all = sound.lines.filter { $0.hasPrefix(#"{"table""#) }
                    let known = damage.filter { !$0.contains("may be missing") }
                    #expect(rows == all ? known.isEmpty : !damage.isEmpty, "page \(page): \(damage)")
                    if !damage.isEmpty { damagedPages += 1 }
                    try expectImport(lines, damage: damage)
                }
            }
            #expect(damagedPages > pages.count / 2)
        }
    }

    @Test func aSearchGoesOnAroundADamagedIndex() throws {
        try withFile("books") { path in
            let wanted = try query(path, "SELECT rowid FROM database2 WHERE instr(key, '1') ORDER BY 1").map { $0[0] }
            let rows = try query(path, "SELECT count(*) FROM database2")[0][0]
            var damagedPages = 0
            for page in try pages(path) {
                try withDamage(to: page, of: path) { damaged in
                    let keys = "SELECT count(*) FROM database2 INDEXED BY true_primary_key WHERE key >= ''"
                    if (try? query(damaged, keys)) != nil { return }
                    damagedPages += 1
                    for collection in [nil, StoredText("books")] {
                        var found: [String] = []
                        var done = FileSearch.Progress()
                        let snapshot = try BrowsedFile(path: damaged).snapshot
                        try FileSearch(SearchText("1"), collection: collection, isKeysOnly: true).run(
                            in: snapshot,
                            progress: {
                                done = $0
                                return true
                            }
                        ) { rowid, _ in found.append(String(rowid)) }
                        #expect(found.sorted() == wanted.sorted() && String(done.searched) == rows, "page \(page)")
                        #expect(done.damage == nil)
                    }
                }
            }
            // The root of the index and its leaves.
            #expect(damagedPages == 4)
        }
    }

    @Test func rowsThatCannotBeReadAreCountedInASearch() throws {
        try withFile("books") { path in
            let root = Int(try query(path, "SELECT rootpage FROM sqlite_master WHERE name = 'database2'")[0][0])!
            try withDamage(to: root, of: path) { damaged in
                var done = FileSearch.Progress()
                try FileSearch(SearchText("absent")).run(
                    in: try BrowsedFile(path: damaged).snapshot,
                    progress: {
                        done = $0
                        return true
                    }, found: { _, _ in })
                #expect(done.searched == 481 && done.found == 0 && done.unreadable == 481)
            }
        }
    }

    /// A page of one of several groups is destroyed: its rows are missing, and the damage is reported.
    @Test func theOtherPagesOfAViewAreShown() throws {
        let smallPages = [
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO view_order_page "
                + "SELECT printf('%036d', i), 'more', CASE WHEN i > 1 THEN printf('%036d', i - 1) END, 1, zeroblob(8) FROM n"
        ]
        try withFile("books", changedBy: smallPages) { path in
            func order(_ path: String) throws -> ViewPageList {
                try BrowsedFile(path: path).snapshot.pages(ofView: "order")
            }
            let whole = try order(path)
            #expect(whole.damage == [] && whole.group("more")?.count == 200)
            var partly = 0
            for page in try pages(path) {
                try withDamage(to: page, of: path) { damaged in
                    guard let left = try? order(damaged) else { return }
                    if left.damage.contains(where: { $0.contains("pages of the view cannot be read") }) { partly += 1 }
                    let counts = [left, whole].map { $0.groups.reduce(0) { $0 + $1.count } }
                    #expect(counts[0] == counts[1] || !left.damage.isEmpty, "page \(page)")
                }
            }
            #expect(partly > 2)
        }
    }

    /// The cells of a page are in another order, or all children of a page are the same one: SQLite continues to read,
    /// and every walk ends, with no row twice.
    @Test(arguments: [5, 6]) func aTreeThatLiesAboutItsOrderIsWalkedOnce(root: Int) throws {
        try withFile("books") { path in
            try checkpoint(path)
            let whole = try Data(contentsOf: URL(filePath: path))
            for page in [root] + children(of: root, in: whole) {
                try withTemporaryFolder { folder in
                    var bytes = whole
                    scramble(page, in: &bytes)
                    let damaged = folder.appending(path: "damaged.sqlite")
                    try bytes.write(to: damaged)
                    try expectEnd(damaged.path)
                }
            }
        }
    }

    @Test(arguments: [122_980, 100_000, 131_073, 155_648, 200_001]) func aFileCutAnywhereIsWalkedOnce(size: Int) throws
    {
        try withFile("books") { path in
            try checkpoint(path)
            try withTemporaryFolder { folder in
                let cut = folder.appending(path: "cut.sqlite")
                try Data(contentsOf: URL(filePath: path)).prefix(size).write(to: cut)
                try expectEnd(cut.path)
            }
        }
    }

    private func expectEnd(_ path: String) throws {
        let file = try BrowsedFile(path: path)
        for order in ListSubject.RowOrder.allCases {
            let subject = ListSubject.collection(StoredText("books"), by: order)
            if let content = try? ListContent(subject, file.snapshot, catalog: file.snapshot.catalog()) {
                try? content.loadAll()
                if order == .rowid { try expectNoneTwice(content.allRowids()) }
            }
        }
        try FileSearch(SearchText("book")).run(in: file.snapshot, found: { _, _ in })
        var bytes: [UInt8] = []
        _ = try FileExport(file).run { bytes += $1 }
        let rows = bytes.split(separator: 0x0A).map { String(decoding: $0.prefix(40), as: UTF8.self) }.filter(isRow)
        #expect(!rows.isEmpty)
        expectNoneTwice(rows)
    }

    private func expectNoneTwice<Row: Hashable>(_ rows: [Row]) { #expect(Set(rows).count == rows.count) }

    /// Returns the pages below an inner one, except for the last.
    private func children(of page: Int, in bytes: Data) -> [Int] {
        cells(of: page, in: bytes).map { cell in bytes[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Returns the positions of a page's cells.
    private func cells(of page: Int, in bytes: Data) -> [Int] {
        let start = (page - 1) * 4096
        let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
        let header = [2, 5].contains(bytes[start]) ? 12 : 8
        return (0..<count).map { cell in
            let pointer = start + header + 2 * cell
            return start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
        }
    }

    private func scramble(_ page: Int, in bytes: inout Data) {
        let start = (page - 1) * 4096
        let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
        if [2, 5].contains(bytes[start]) {
            let first = cells(of: page, in: bytes)[0]
            for cell in cells(of: page, in: bytes) + [start + 8] {
                bytes.replaceSubrange(cell..<cell + 4, with: Data(bytes[first..<first + 4]))
            }
        } else {
            let pointers = start + 8
            for cell in 0..<count / 2 {
                let (low, high) = (pointers + 2 * cell, pointers + 2 * (count - 1 - cell))
                bytes.swapAt(low, high)
                bytes.swapAt(low + 1, high + 1)
            }
        }
    }

    // MARK: Damage

    /// All but the first, which holds the schema, and the second, which is the pointer map.
    private func pages(_ path: String) throws -> ClosedRange<Int> {
        3...Int(try query(path, "PRAGMA page_count")[0][0])!
    }

    private func checkpoint(_ path: String) throws {
        try SQLiteHandle(path: path, mode: .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func withDamage(to page: Int, of path: String, _ body: (String) throws -> Void) throws {
        try withTemporaryFolder { folder in
            try checkpoint(path)
            var bytes = try Data(contentsOf: URL(filePath: path))
            bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(repeating: 0xab, count: 4096))
            let damaged = folder.appending(path: "damaged.sqlite")
            try bytes.write(to: damaged)
            try body(damaged.path)
        }
    }

    private func export(_ path: String) throws -> (lines: Set<String>, damage: [String]) {
        var bytes: [UInt8] = []
        let damage = try FileExport(BrowsedFile(path: path)).run { bytes += $1 }
        return (Set(bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }), damage)
    }

    private func isRow(_ line: String) -> Bool { line.hasPrefix(#"{"table":"database2""#) }

    private func readableRows(_ path: String) throws -> Int {
        let handle = try SQLiteHandle(path: path, mode: .readOnlyAlone)
        let statement = try handle.statement("SELECT key, data, metadata FROM database2 NOT INDEXED WHERE rowid = ?")
        return try (1...600).count { rowid in
            defer { statement.reset() }
            try statement.bind(Int64(rowid), at: 1)
            return (try? statement.step()) == true
        }
    }

    /// An import of the readable part makes a file that is sound according to SQLite.
    private func expectImport(_ lines: Set<String>, damage: [String]) throws {
        try withTemporaryFolder { folder in
            let copy = folder.appending(path: "copy.sqlite").path
            let target = try FileImport(path: copy)
            for line in lines.sorted(by: { rank($0) < rank($1) }) { try target.add(Array(line.utf8)) }
            try target.end()
            #expect(target.damage == damage)
            #expect(try query(copy, "PRAGMA integrity_check") == [["ok"]])
        }
    }

    private func rank(_ line: String) -> Int { line.hasPrefix(#"{"yap""#) ? 0 : line.hasPrefix(#"{"create""#) ? 1 : 2 }
}
