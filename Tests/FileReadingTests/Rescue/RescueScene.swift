import Foundation
import SQLiteBridge
import Testing

@testable import FileReading

/// A file with rows on pages of several levels, of which some pages are damaged, and what an export makes of it.
struct RescueScene {
    static let pageSize = 1_024
    let url: URL
    let rows: [Int64: PlainScan.Row]

    /// - Parameter vacuum: 1 for a file with a pointer map, 0 for one with a list of free pages.
    init(in folder: URL, vacuum: Int = 1, rows count: Int = 1_500, changes: [String] = []) throws {
        url = folder.appending(path: "sound.sqlite")
        let handle = try SQLiteHandle(path: url.path, mode: .create)
        for sql in [
            "PRAGMA page_size = \(Self.pageSize)", "PRAGMA auto_vacuum = \(vacuum)", "PRAGMA user_version = 3",
            "PRAGMA secure_delete = OFF",
            #"CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, PRIMARY KEY ("extension","key"))"#,
            #"CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)"#,
            #"CREATE UNIQUE INDEX "true_primary_key" ON "database2" ("collection","key")"#,
            #"CREATE TABLE "view_order_map" ("rowid" INTEGER PRIMARY KEY, "pageKey" CHAR NOT NULL)"#,
            #"CREATE TABLE "view_order_page" ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, "prevPageKey" CHAR, "count" INTEGER, "data" BLOB)"#,
            "INSERT INTO yap2 VALUES ('', 'snapshot', 5), ('order', 'class', 'YapDatabaseView')",
            """
            INSERT INTO database2 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count)) \
            SELECT i + i / 100, 'c' || (i % 3), 'key-' || i, CAST(printf('%.*c', CASE i % 90 WHEN 0 THEN 5000 ELSE i % 130 END, 'x') AS BLOB), \
            CASE i % 2 WHEN 0 THEN x'01' END FROM n
            """,
            "INSERT INTO view_order_map SELECT rowid, 'page' FROM database2",
        ] + changes { try handle.execute(sql) }
        let all = try handle.statement("SELECT rowid, collection, key, data FROM database2")
        defer { all.reset() }
        var rows: [Int64: PlainScan.Row] = [:]
        while try all.step() {
            let row = PlainScan.Row(
                rowid: all.int64(at: 0), collection: all.bytes(at: 1), key: all.bytes(at: 2), data: all.bytes(at: 3))
            rows[row.rowid] = row
        }
        self.rows = rows
    }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: url)) }

    func root(of table: String) throws -> Int {
        Int(try query(url.path, "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")[0][0])!
    }

    /// The pages of a kind in the file: 13 for leaves of tables, 5 for what is above them, 10 and 2 for those of indexes.
    func pages(ofKind kind: UInt8, in bytes: [UInt8]) -> [Int] {
        (2...bytes.count / Self.pageSize).filter { bytes[($0 - 1) * Self.pageSize] == kind }
    }

    struct Exported {
        var rows: [Int64: PlainScan.Row] = [:]
        var lost: [Int64] = []
        var report = ExportReport()
        var lines: [[UInt8]] = []
    }

    /// Exports a file as the command does.
    static func export(_ path: String) throws -> Exported {
        var bytes: [UInt8] = []
        var exported = Exported()
        if let file = try? BrowsedFile(path: path), let report = try? FileExport(file).report({ bytes += $1 }) {
            exported.report = report
        } else {
            bytes = []
            let file = try #require(try SalvagedFile(path))
            exported.report = try file.report { bytes += $1 }
        }
        exported.lines = bytes.split(separator: 0x0A).map(Array.init)
        exported.lost = exported.report.lost.map(\.rowid)
        for line in exported.lines where line.starts(with: Array(#"{"table":"database2""#.utf8)) {
            guard case .row(let row) = line.withUnsafeBytes({ ImportLine($0) }).content, let rowid = row.rowid else {
                continue
            }
            let values = row.values.map { StoredValue($0).bytes ?? [] }
            #expect(exported.rows[rowid] == nil, "row \(rowid) is there twice")
            exported.rows[rowid] = .init(rowid: rowid, collection: values[1], key: values[2], data: values[3])
        }
        return exported
    }

    /// Exports damaged bytes: the rows must be those that a plain scan finds, and the lost rows all others.
    func expectAllFound(_ bytes: [UInt8], _ what: String, isExact: Bool = true) throws {
        let damaged = url.deletingLastPathComponent().appending(path: "damaged.sqlite")
        try Data(bytes).write(to: damaged)
        let there = PlainScan(bytes, pageSize: Self.pageSize).rows()
        let exported = try Self.export(damaged.path)
        #expect(Set(exported.rows.keys) == Set(there.keys), "\(what): \(exported.report.damage)")
        #expect(exported.rows.values.allSatisfy { there[$0.rowid] == $0 }, "\(what)")
        if isExact {
            #expect(exported.lost == rows.keys.filter { there[$0] == nil }.sorted(), "\(what)")
            #expect(exported.report.damage.contains { $0.contains("database2") } == !exported.lost.isEmpty, "\(what)")
        }
        // What was found makes a sound file.
        let copy = damaged.path + ".copy"
        let target = try FileImport(path: copy)
        for line in exported.lines { try target.add(line) }
        try target.end()
        #expect(try query(copy, "PRAGMA integrity_check") == [["ok"]], "\(what)")
        #expect(try query(copy, "SELECT count(*) FROM database2")[0][0] == "\(there.count)", "\(what)")
        try target.abandon()
    }
}

extension [UInt8] {
    func withPage(_ number: Int, filledWith byte: UInt8 = 0) -> [UInt8] {
        var bytes = self
        let start = (number - 1) * RescueScene.pageSize
        bytes.replaceSubrange(
            start..<start + RescueScene.pageSize, with: repeatElement(byte, count: RescueScene.pageSize))
        return bytes
    }
}
