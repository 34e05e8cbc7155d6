import Foundation
import HostileFiles
import SQLiteBridge
import TestTraits
import Testing
import YapDatabase

@testable import FileReading

/// Hostile lines: an import creates what they say, or throws and creates no file.
@Suite(.ends(within: 300)) struct HostileExportTests {
    @Test(arguments: HostileExport.all) func nothingButWhatALineSaysIsMade(export: HostileExport) throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "new.sqlite").path
            let target = try FileImport(path: path)
            let error = #expect(throws: (any Error).self) {
                for line in export.lines { try target.add(Array(line.utf8)) }
                try target.end()
            }
            #expect(error.map { "\($0)" }?.contains(export.words) == true, "\(String(describing: error))")
            try target.abandon()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test func whatAnAppMayHaveComesBack() throws {
        let changes = [
            "CREATE VIEW v AS SELECT * FROM database2",
            "CREATE TRIGGER t AFTER INSERT ON database2 BEGIN DELETE FROM database2; END",
            "CREATE TABLE checked (a INTEGER CHECK (a > 0), b DEFAULT (lower(hex(randomblob(4)))), c AS (a + 1) STORED)",
            "INSERT INTO checked (a) VALUES (1)", "CREATE INDEX e ON checked (abs(a)) WHERE a > 0",
            "CREATE TABLE counted (a INTEGER PRIMARY KEY AUTOINCREMENT, b UNIQUE)",
            "CREATE VIRTUAL TABLE fts_f USING fts5(a)", "INSERT INTO fts_f VALUES ('word')",
            "CREATE VIRTUAL TABLE fts_g USING fts4(a)", "INSERT INTO fts_g VALUES ('word')",
        ]
        try withFile("json", changedBy: changes) { path in
            let target = try FileImport(path: path + ".copy")
            var lines: [UInt8] = []
            #expect(try FileExport(BrowsedFile(path: path)).run { lines += $1 } == [])
            for line in lines.split(separator: 0x0A) { try target.add(Array(line)) }
            try target.end()
            for sql in [
                "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name",
                "SELECT * FROM checked", "SELECT count(*) FROM database2", "SELECT rowid FROM fts_f('word')",
                "SELECT rowid FROM fts_g WHERE fts_g MATCH 'word'", "PRAGMA integrity_check",
            ] { #expect(try query(path, sql) == query(path + ".copy", sql), "\(sql)") }
        }
    }

    /// The target of a link is not created, and files beside a new file are not taken for its journal.
    @Test func onlyAnewFileIsMade() throws {
        try withTemporaryFolder { folder in
            let (path, target) = (folder.appending(path: "link").path, folder.appending(path: "target").path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            #expect(throws: YapDatabaseError.self) { try FileImport(path: path) }
            for suffix in ["-wal", "-journal", "-shm"] {
                let other = folder.appending(path: "other").path
                try Data("theirs".utf8).write(to: URL(filePath: other + suffix))
                #expect(throws: YapDatabaseError.self) { try FileImport(path: other) }
                #expect(!FileManager.default.fileExists(atPath: other))
                #expect(FileManager.default.contents(atPath: other + suffix) == Data("theirs".utf8))
            }
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }
}
