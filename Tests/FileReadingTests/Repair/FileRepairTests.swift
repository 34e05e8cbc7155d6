import Foundation
import SQLiteBridge
import SeededRandom
import Testing
import YapDatabase

@testable import FileReading

/// A repair makes a copy that is sound: with every row that lies whole on some page, as it was, and the names of all others.
@Suite struct FileRepairTests {
    /// Cases of random damage in one run.
    private static let cases = Effort.isFull ? 200 : 15

    @Test func aSoundFileIsCopiedAsItIs() throws {
        try withFolderInMemory { folder in
            let scene = try RepairScene(in: folder)
            try scene.damage(scene.bytes)
            let report = try scene.repair()
            #expect(report.parts.isEmpty && !report.hasLosses && report.damagedPages == [])
            try scene.expectSound(report, "a sound file")
        }
    }

    @Test func randomPagesOfAnythingLeaveASoundCopy() throws {
        // `YAP_ATTACK_SEED` plays another run.
        let seed = ProcessInfo.processInfo.environment["YAP_ATTACK_SEED"].flatMap(UInt64.init) ?? 3
        var random = SplitMix64(seed: seed)
        try withFolderInMemory { folder in
            let scene = try RepairScene(in: folder)
            for number in 0..<Self.cases {
                let (bytes, what) = Self.damaged(scene, using: &random)
                try scene.damage(bytes)
                let text = "seed \(seed), case \(number): \(what)"
                do {
                    try scene.expectSound(scene.repair(), text)
                } catch {
                    Issue.record("\(text): \(error)")
                }
            }
        }
    }

    /// Writes something else over one to four pages.
    private static func damaged(_ scene: RepairScene, using random: inout SplitMix64) -> ([UInt8], String) {
        var (bytes, what) = (scene.bytes, "")
        let size = scene.pageSize
        let pages = bytes.count / size
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let page = Int.random(in: 1...pages, using: &random)
            let content: [UInt8]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: content = Array(repeating: 0, count: size)
            case 1: content = Array(repeating: 0xab, count: size)
            case 2: content = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            default:
                let other = Int.random(in: 2...pages, using: &random)
                content = Array(scene.bytes[(other - 1) * size..<other * size])
                what += "(as page \(other)) "
            }
            bytes.replaceSubrange((page - 1) * size..<page * size, with: content)
            what += "page \(page) with \(content[0]); "
        }
        return (bytes, what)
    }

    struct Case: CustomTestStringConvertible {
        var sql: [String]
        var name: String
        var action: RepairReport.Part.Action
        var isLoss = false
        var testDescription: String { sql.joined(separator: "; ") }
    }

    /// What `yap check` says can be rebuilt, and what it says was added by hand.
    @Test(
        arguments: [
            Case(
                sql: ["UPDATE view_ledger_page SET count = count + 1 WHERE rowid = 1"], name: "ledger", action: .dropped
            ),
            Case(sql: ["DELETE FROM view_ledger_map WHERE rowid % 7 = 1"], name: "ledger", action: .dropped),
            Case(sql: ["DELETE FROM yap2 WHERE extension = 'index'"], name: "index", action: .dropped),
            Case(sql: ["DROP TABLE view_even_page"], name: "even", action: .dropped),
            Case(sql: ["INSERT INTO secondaryIndex_index (rowid) VALUES (99999)"], name: "index", action: .dropped),
            Case(sql: ["INSERT INTO fts_words (rowid, text) VALUES (99999, 'x')"], name: "words", action: .rebuilt),
            Case(sql: ["DELETE FROM fts_words_data WHERE id > 10"], name: "words", action: .rebuilt),
            Case(sql: ["DELETE FROM rTreeIndex_tree_node"], name: "tree", action: .dropped),
            Case(
                sql: [
                    "UPDATE relationship_graph SET dst = 99999 WHERE rowid = (SELECT min(rowid) FROM relationship_graph)"
                ],
                name: "graph", action: .mended, isLoss: true),
            Case(sql: ["UPDATE view_manual_page SET count = 3"], name: "manual", action: .mended),
            Case(sql: ["DELETE FROM view_manual_map"], name: "manual", action: .mended),
            Case(
                sql: ["UPDATE cloudcore_queue2_cloud SET operation = NULL WHERE rowid % 9 = 1"], name: "cloud",
                action: .mended, isLoss: true),
            Case(sql: ["INSERT INTO cloudcore_mapping_cloud VALUES (99999, 'x')"], name: "cloud", action: .mended),
        ])
    func whatIsWrongInAnExtensionIsMadeRight(example: Case) throws {
        try withFolderInMemory { folder in
            let scene = try RepairScene(in: folder)
            try scene.damage(scene.bytes, changedBy: example.sql)
            // SQLite's check looks into a full-text index since version 3.44 only.
            #expect(try !YapDatabase.check(url: scene.damaged).isEmpty || example.name == "words")
            let report = try scene.repair()
            let part = report.parts.first { $0.name == example.name }
            #expect(part?.action == example.action && part?.reason.isEmpty == false, "\(report.parts)")
            #expect(report.hasLosses == example.isLoss, "\(report)")
            #expect(report.lost.isEmpty)
            try scene.expectSound(report, example.testDescription)
        }
    }

    @Test func aRowThatIsLostIsNamedAndLeavesItsListsAndEdges() throws {
        try withFolderInMemory { folder in
            let scene = try RepairScene(in: folder)
            var bytes = scene.bytes
            // A leaf of the rows.
            let leaf = try #require(
                (2...bytes.count / scene.pageSize).first { page in
                    let start = (page - 1) * scene.pageSize
                    let alone = [UInt8](repeating: 0, count: scene.pageSize) + bytes[start..<start + scene.pageSize]
                    return PlainScan(alone, pageSize: scene.pageSize).rows().values.contains { !$0.data.isEmpty }
                })
            bytes.replaceSubrange(
                (leaf - 1) * scene.pageSize..<leaf * scene.pageSize, with: repeatElement(0, count: scene.pageSize))
            try scene.damage(bytes)
            let report = try scene.repair()
            #expect(!report.lost.isEmpty && report.damagedPages == [leaf])
            #expect(report.parts.contains { $0.name == "ledger" && $0.action == .dropped })
            #expect(report.parts.contains { $0.name == "manual" && !$0.removed.isEmpty })
            try scene.expectSound(report, "a leaf")
        }
    }

    /// SQLite keeps a blob in a column for texts.
    @Test func rowsWithBlobsForNamesAreNotLost() throws {
        try withFolderInMemory { folder in
            let scene = try RepairScene(in: folder)
            for (collection, key) in [
                ("x'6162'", "x'00ff'"), ("'c'", "x'41'"), ("x''", "'k'"), ("CAST(x'fe' AS TEXT)", "'k'"),
            ] {
                let row = "INSERT INTO database2 (collection, key, data) VALUES (\(collection), \(key), 1.5)"
                try scene.damage(scene.bytes, changedBy: [row])
                let report = try scene.repair()
                #expect(!report.hasLosses && report.damage.isEmpty, "\(row): \(report.damage)")
                let rows = "SELECT rowid, quote(collection), quote(key), quote(data) FROM database2 ORDER BY rowid"
                #expect(try query(scene.copy.path, rows) == query(scene.damaged.path, rows), "\(row)")
            }
        }
    }

    @Test func aNameThatIsTakenIsRefusedAndNothingIsMade() throws {
        try withFolderInMemory { folder in
            let scene = try RepairScene(in: folder)
            try scene.damage(scene.bytes)
            try Data("mine".utf8).write(to: scene.copy)
            #expect(throws: YapDatabaseError.self) { try scene.repair() }
            #expect(try Data(contentsOf: scene.copy) == Data("mine".utf8))
        }
    }

    @Test func aFileOfAnotherProgramIsRefusedAndNothingIsMade() throws {
        try withTemporaryFolder { folder in
            let other = folder.appending(path: "other.sqlite")
            try SQLiteHandle(path: other.path, mode: .create).execute("CREATE TABLE a (b)")
            let copy = folder.appending(path: "copy.sqlite")
            let error = #expect(throws: YapDatabaseError.self) {
                try FileRepair(
                    other.path, to: copy.path, check: { try YapDatabase.checkReport(url: URL(filePath: $0)) }
                ).run()
            }
            #expect(error?.code == .notAYapDatabase && error?.message.contains(other.path) == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["other.sqlite"])
        }
    }
}
