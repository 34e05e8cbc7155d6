import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing
import YapDatabase

@testable import FileReading

/// Of a damaged file, every row that lies whole on some page is exported, and the keys of all others are listed.
@Suite struct RowRescueTests {
    /// Cases of random damage in one run.
    private static let cases = Effort.dearCases(1_000)

    @Test(arguments: [UInt8(13), 5, 10, 2]) func aPageOfZerosLosesOnlyItsOwnRows(kind: UInt8) throws {
        try withTemporaryFolder { folder in
            let scene = try RescueScene(in: folder)
            let sound = try scene.bytes()
            let pages = scene.pages(ofKind: kind, in: sound)
            #expect(!pages.isEmpty)
            let most = Effort.isFull ? 12 : 3
            for page in pages.count > most
                ? stride(from: 0, to: pages.count, by: pages.count / most).map({ pages[$0] }) : pages
            {
                try scene.expectAllFound(sound.withPage(page), "page \(page) of kind \(kind)")
            }
        }
    }

    @Test(arguments: [0, 1]) func rootsOfZerosLoseNoRow(vacuum: Int) throws {
        try withTemporaryFolder { folder in
            let scene = try RescueScene(in: folder, vacuum: vacuum)
            let sound = try scene.bytes()
            let rows = try scene.root(of: "database2")
            #expect(sound[(rows - 1) * RescueScene.pageSize] == 5)
            for fill: UInt8 in [0, 0xab] {
                try scene.expectAllFound(sound.withPage(rows, filledWith: fill), "the root of the rows")
                try scene.expectAllFound(
                    sound.withPage(try scene.root(of: "true_primary_key"), filledWith: fill), "the root of the keys")
            }
        }
    }

    /// The first page with or without its header.
    @Test(arguments: [0, 100]) func aFirstPageOfZerosLosesNoRow(from start: Int) throws {
        try withTemporaryFolder { folder in
            let scene = try RescueScene(in: folder)
            var bytes = try scene.bytes()
            bytes.replaceSubrange(
                start..<RescueScene.pageSize, with: repeatElement(0, count: RescueScene.pageSize - start))
            try scene.expectAllFound(bytes, "from \(start)", isExact: false)
        }
    }

    /// The schema is readable and has no entries.
    @Test func anEmptySchemaLosesNoRow() throws {
        try withTemporaryFolder { folder in
            let scene = try RescueScene(in: folder)
            var bytes = try scene.bytes()
            bytes.replaceSubrange(103..<105, with: [0, 0])
            try scene.expectAllFound(bytes, "no entries", isExact: false)
        }
    }

    @Test func aFileThatIsCutOffKeepsTheRowsBeforeTheCut() throws {
        try withTemporaryFolder { folder in
            let scene = try RescueScene(in: folder)
            let sound = try scene.bytes()
            for part in [0.95, 0.7, 0.5, 0.3] {
                let size = Int(Double(sound.count) * part)
                try scene.expectAllFound(Array(sound.prefix(size)), "\(size) bytes", isExact: false)
            }
        }
    }

    @Test func rowsOfADroppedTableDoNotComeBack() throws {
        try withTemporaryFolder { folder in
            let changes = [
                #"CREATE TABLE "old" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR, "key" CHAR, "data" BLOB, "metadata" BLOB)"#,
                "INSERT INTO old SELECT rowid + 100000, 'old', key, data, metadata FROM database2",
                "DROP TABLE old",
            ]
            let scene = try RescueScene(in: folder, vacuum: 0, changes: changes)
            let sound = try scene.bytes()
            #expect(PlainScan(sound, pageSize: RescueScene.pageSize).rows().count > scene.rows.count + 1_000)
            let root = try scene.root(of: "database2")
            // With the list of free pages, and without it.
            for hasList in [true, false] {
                var bytes = sound.withPage(root)
                if !hasList { bytes.replaceSubrange(32..<40, with: repeatElement(0, count: 8)) }
                let damaged = folder.appending(path: "damaged.sqlite")
                try Data(bytes).write(to: damaged)
                let exported = try RescueScene.export(damaged.path)
                #expect(exported.rows == scene.rows, "\(hasList)")
                #expect(exported.lost == [] && exported.report.damage == [], "\(exported.report.damage)")
                #expect(exported.report.notes.contains { $0.contains("are left out") } == !hasList)
            }
        }
    }

    /// The file has nothing but its first pages: everything else is in the log.
    @Test func rowsThatOnlyTheLogHasAreFound() throws {
        try withTemporaryFolder { folder in
            let scene = try RescueScene(in: folder)
            let (left, root) = (folder.appending(path: "left.sqlite"), try scene.root(of: "database2"))
            let writer = try SQLiteHandle(path: scene.url.path, mode: .readWrite)
            writer.setCheckpointOnClose(false)
            try writer.execute("PRAGMA journal_mode = WAL")
            try writer.execute("UPDATE database2 SET data = x'07'")
            let log = try Data(contentsOf: URL(filePath: scene.url.path + "-wal"))
            for isCut in [false, true] {
                let bytes = try scene.bytes()
                // The log has the leaves; what leads to them is in the file alone, or gone.
                try Data(isCut ? Array(bytes.prefix(RescueScene.pageSize)) : bytes.withPage(root)).write(to: left)
                try log.write(to: URL(filePath: left.path + "-wal"))
                let exported = try RescueScene.export(left.path)
                #expect(exported.rows.count == scene.rows.count, "\(isCut): \(exported.report.damage)")
                #expect(exported.rows.values.allSatisfy { $0.data == [7] })
            }
        }
    }

    /// The newest copy of a leaf is destroyed in the file, and the log still has one from before.
    @Test func anOlderCopyInTheLogIsUsedForARowThatIsLost() throws {
        try withTemporaryFolder { folder in
            let scene = try RescueScene(in: folder)
            let left = folder.appending(path: "left.sqlite")
            let writer = try SQLiteHandle(path: scene.url.path, mode: .readWrite)
            writer.setCheckpointOnClose(false)
            try writer.execute("PRAGMA journal_mode = WAL")
            try writer.execute("UPDATE database2 SET data = x'07' WHERE rowid < 400")
            var log = Array(try Data(contentsOf: URL(filePath: scene.url.path + "-wal")))
            // One byte of the first frame: SQLite no longer reads the log.
            log[32 + 24 + 500] ^= 1
            let bytes = try scene.bytes()
            let leaf = try #require(
                scene.pages(ofKind: 13, in: bytes).first { page in
                    let start = (page - 1) * RescueScene.pageSize
                    return !PlainScan(
                        [UInt8](repeating: 0, count: RescueScene.pageSize)
                            + bytes[start..<start + RescueScene.pageSize], pageSize: RescueScene.pageSize
                    )
                    .rows().keys.filter { $0 > 50 && $0 < 300 }.isEmpty
                })
            try Data(bytes.withPage(leaf)).write(to: left)
            try Data(log).write(to: URL(filePath: left.path + "-wal"))
            let exported = try RescueScene.export(left.path)
            #expect(exported.rows.count == scene.rows.count && exported.lost == [])
            #expect(exported.report.notes.contains { $0.contains("older copies") }, "\(exported.report.notes)")
        }
    }

    @Test func randomDamageLosesNothingElse() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        try withTemporaryFolder { folder in
            let scenes = try [0, 1].map { vacuum in
                let place = folder.appending(path: "\(vacuum)")
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                return try RescueScene(in: place, vacuum: vacuum, rows: 300)
            }
            for number in 0..<Self.cases {
                let scene = scenes.randomElement(using: &random)!
                let sound = try scene.bytes()
                let (bytes, what) = Self.damaged(sound, using: &random)
                // The list of keys is whole if the index is.
                let keys = scene.pages(ofKind: 10, in: sound) + scene.pages(ofKind: 2, in: sound)
                let isExact = keys.allSatisfy { page in
                    let range = (page - 1) * RescueScene.pageSize..<page * RescueScene.pageSize
                    return bytes[range] == sound[range]
                }
                try scene.expectAllFound(bytes, "seed \(seed), case \(number): \(what)", isExact: isExact)
            }
        }
    }

    /// Destroys one to three pages behind the first, or halves of them.
    private static func damaged(_ sound: [UInt8], using random: inout SplitMix64) -> ([UInt8], String) {
        var (bytes, what) = (sound, "")
        let pages = sound.count / RescueScene.pageSize
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let page = Int.random(in: 2...pages, using: &random)
            let start = (page - 1) * RescueScene.pageSize
            let isHalf = Bool.random(using: &random)
            let fill: UInt8 = Bool.random(using: &random) ? 0 : 0xab
            let end = start + (isHalf ? RescueScene.pageSize / 2 : RescueScene.pageSize)
            bytes.replaceSubrange(start..<end, with: repeatElement(fill, count: end - start))
            what += "page \(page)\(isHalf ? ", first half" : "") with \(fill); "
        }
        return (bytes, what)
    }
}
