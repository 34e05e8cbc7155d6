import FileEngine
import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing

@testable import FileReading

/// The rows of tables of extensions and of apps, of which pages are lost: every row that lies whole on a page is exported.
@Suite struct TableRescueTests {
    private static let changes = [
        """
        CREATE TABLE "relationship_graph" ("rowid" INTEGER PRIMARY KEY, "name" CHAR NOT NULL, "src" INTEGER NOT NULL, "dst" BLOB NOT NULL, \
        "rules" INTEGER, "manual" INTEGER)
        """,
        #"CREATE INDEX "src_name" ON "relationship_graph" ("src", "name")"#,
        "INSERT INTO yap2 VALUES ('graph', 'class', 'YapDatabaseRelationship')",
        """
        INSERT INTO relationship_graph SELECT rowid + 7, 'edge ' || (rowid % 5), rowid, \
        CASE rowid % 3 WHEN 0 THEN CAST('file:///tmp/' || rowid AS BLOB) ELSE rowid + 1 END, rowid % 4, rowid % 2 FROM database2
        """,
        // An app's own, without an index, with an affinity that changes what is stored, and a column that was added.
        "CREATE TABLE notes (weight REAL, title TEXT NOT NULL, id INTEGER PRIMARY KEY, body)",
        "INSERT INTO notes SELECT rowid, 'note ' || rowid, rowid * 3, CASE rowid % 2 WHEN 0 THEN rowid * 1.5 END FROM database2",
        "ALTER TABLE notes ADD COLUMN late TEXT",
        "INSERT INTO notes SELECT 0.5, 'late', rowid * 3 + 1, NULL, 'x' FROM database2 WHERE rowid % 10 = 0",
    ]

    /// Of each table, what leads to its leaves is destroyed.
    @Test(arguments: ["relationship_graph", "notes", "view_order_map"], [UInt8(0), 0xab])
    func rootsThatAreDestroyedLoseNoRow(table: String, fill: UInt8) throws {
        try withScene { scene, sound in
            let root = try scene.root(of: table)
            #expect(try scene.bytes()[(root - 1) * RescueScene.pageSize] == 5)
            let found = try export(scene.bytes().withPage(root, filledWith: fill), scene)
            for name in Self.tables { #expect(found.rows(of: name) == sound.rows(of: name), "\(name)") }
            #expect(found.report.notes.contains { $0.contains(table) && $0.contains("nothing leads to") })
            // An index says that none is missing.
            #expect(found.report.damage.isEmpty == (table == "relationship_graph"), "\(found.report.damage)")
        }
    }

    /// An index that is whole says how many rows were on a page that is destroyed.
    @Test func rowsThatAreLostAreCounted() throws {
        try withScene { scene, sound in
            let leaf = try #require(try leaf(of: "relationship_graph", scene))
            let found = try export(scene.bytes().withPage(leaf), scene)
            let rows = (found.rows(of: "relationship_graph"), sound.rows(of: "relationship_graph"))
            #expect(rows.0.isStrictSubset(of: rows.1))
            let lost = rows.1.count - rows.0.count
            #expect(
                found.report.damage.contains { $0.contains("relationship_graph") && $0.contains("\(lost) of them") })
        }
    }

    /// Two tables whose records have the same shape: of the one without an index no row comes into the other.
    @Test func rowsOfTwoTablesOfOneShapeAreNotMixed() throws {
        let changes = [
            "CREATE TABLE other (weight REAL, title TEXT NOT NULL, id INTEGER PRIMARY KEY, body, late TEXT)",
            "INSERT INTO other SELECT weight, 'other', id + 100000, body, late FROM notes",
        ]
        try withScene(changes) { scene, sound in
            let roots = try ["notes", "other"].map(scene.root)
            let found = try export(scene.bytes().withPage(roots[0]).withPage(roots[1]), scene)
            for name in ["notes", "other"] { #expect(found.rows(of: name).isSubset(of: sound.rows(of: name))) }
            #expect(found.report.notes.contains { $0.contains("may be of another table") })
            #expect(found.report.damage.count >= 2)
        }
    }

    /// Pages at random: no row of one table in another, none that was not there, and each table that lacks rows is named.
    @Test func randomDamageInventsNoRow() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        try withScene { scene, sound in
            let bytes = try scene.bytes()
            for number in 0..<Effort.dearCases(300) {
                var damaged = bytes
                var what = ""
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let page = Int.random(in: 2...bytes.count / RescueScene.pageSize, using: &random)
                    damaged = damaged.withPage(page, filledWith: Bool.random(using: &random) ? 0 : 0xab)
                    what += "page \(page) "
                }
                let found = try export(damaged, scene)
                for name in Self.tables {
                    var (rows, all) = (found.rows(of: name), sound.rows(of: name))
                    // Nothing tells of a page in the middle of a long value that is another one now.
                    if name == "database2" { (rows, all) = (Self.shortValues(rows), Self.shortValues(all)) }
                    let context: Comment = "seed \(seed), case \(number): \(what), \(name): \(found.report.damage)"
                    #expect(rows.isSubset(of: all), context)
                    let words = ["\"\(name)\"", "schema"]
                    #expect(
                        rows == all || found.report.damage.contains { line in words.contains { line.contains($0) } },
                        context)
                }
            }
        }
    }

    /// Without a schema the edges are known by what the extension's own entry says.
    @Test func edgesAreFoundWithoutASchema() throws {
        try withScene { scene, sound in
            let found = try export(scene.bytes().withPage(1), scene)
            #expect(found.rows(of: "relationship_graph") == sound.rows(of: "relationship_graph"))
            #expect(found.rows(of: "yap2").contains { $0.contains("YapDatabaseRelationship") })
            #expect(found.report.damage.contains { $0.contains("schema is lost") })
        }
    }

    private static func shortValues(_ rows: Set<String>) -> Set<String> { rows.filter { $0.utf8.count < 2_000 } }

    private static let tables = ["database2", "relationship_graph", "notes", "view_order_map"]

    private struct Exported {
        var lines: [String]
        var report: ExportReport

        /// The rows of a table as JSON.
        func rows(of table: String) -> Set<String> {
            let rows = lines.filter { $0.hasPrefix(#"{"table":"\#(table)","#) }
            #expect(Set(rows).count == rows.count, "rows of \(table) are there twice")
            return Set(rows)
        }
    }

    private func withScene(
        _ more: [String] = [], _ body: (RescueScene, _ sound: Exported) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let scene = try RescueScene(in: folder, rows: 600, changes: Self.changes + more)
            let sound = try export(scene.bytes(), scene)
            #expect(sound.report.damage == [])
            for name in Self.tables { #expect(sound.rows(of: name).count >= 600) }
            try body(scene, sound)
        }
    }

    private func leaf(of table: String, _ scene: RescueScene) throws -> Int? {
        let (bytes, root) = (try scene.bytes(), try scene.root(of: table))
        let place = (root - 1) * RescueScene.pageSize
        return bytes.withUnsafeBytes { bytes in
            let cell = Int(bytes[place + 12]) << 8 | Int(bytes[place + 13])
            return bytes[place + cell..<place + cell + 4].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    private func export(_ bytes: [UInt8], _ scene: RescueScene) throws -> Exported {
        let file = scene.url.deletingLastPathComponent().appending(path: "damaged.sqlite")
        try Data(bytes).write(to: file)
        let exported = try RescueScene.export(file.path)
        let target = try FileImport(path: file.path + ".copy")
        for line in exported.lines { try target.add(line) }
        try target.end()
        #expect(try query(file.path + ".copy", "PRAGMA integrity_check") == [["ok"]])
        try target.abandon()
        return Exported(lines: exported.lines.map { String(decoding: $0, as: UTF8.self) }, report: exported.report)
    }
}
