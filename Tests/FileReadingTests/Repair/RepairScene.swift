import FileEngine
import Foundation
import SQLiteBridge
import SeededRandom
import Testing
import TortureLedger
import YapDatabase

@testable import FileReading

/// A file with rows and an extension of each kind, copies of it that are damaged, and what a repair makes of them.
struct RepairScene {
    static let writers = ["a", "b"]
    private static let transactions = 70

    let folder: URL
    let bytes: [UInt8]
    let pageSize: Int
    /// The rows, each as its columns in hexadecimal, by rowid.
    let rows: [String: [String]]

    var damaged: URL { folder.appending(path: "damaged.sqlite") }
    var copy: URL { folder.appending(path: "copy.sqlite") }

    init(in folder: URL) throws {
        self.folder = folder
        let sound = try Self.sound.get()
        (bytes, rows) = (sound.bytes, sound.rows)
        pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        #expect(rows.count > 300)
    }

    /// The file as it was before any damage, made once in a process.
    private static let sound = Result { try makeSound() }

    private static func makeSound() throws -> (bytes: [UInt8], rows: [String: [String]]) {
        try withFolderInMemory { folder in
            let url = folder.appending(path: "sound.sqlite")
            let database = try YapDatabase(url: url)
            try Ledger.prepareAll(database, writers: writers)
            let connection = try database.newConnection()
            for number in 1...transactions {
                for writer in writers {
                    try connection.readWrite {
                        try Ledger(writer: writer).write(number, size: number * 37 % 400, in: $0)
                    }
                }
            }
            try database.close()
            return try (Array(Data(contentsOf: url)), Self.rows(url.path))
        }
    }

    static func rows(_ path: String) throws -> [String: [String]] {
        let all = try query(path, "SELECT rowid, collection, key, hex(data), hex(metadata) FROM database2")
        return Dictionary(uniqueKeysWithValues: all.map { ($0[0], Array($0.dropFirst())) })
    }

    /// Writes a damaged file, or changes a sound one by SQL.
    func damage(_ bytes: [UInt8], changedBy sql: [String] = []) throws {
        for file in [damaged, copy] { for name in FileImport.names(file.path) { unlink(name) } }
        try Data(bytes).write(to: damaged)
        guard !sql.isEmpty else { return }
        let handle = try SQLiteHandle(path: damaged.path, mode: .readWrite)
        for statement in sql { try handle.execute(statement) }
    }

    func repair() throws -> RepairReport {
        let before = try Data(contentsOf: damaged)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let report = try FileRepair(
            damaged.path, to: copy.path, check: { try YapDatabase.checkReport(url: URL(filePath: $0)) }
        ).run()
        #expect(try Data(contentsOf: damaged) == before, "the file was changed")
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == Set(names + ["copy.sqlite"]),
            "something is left beside the copy")
        return report
    }

    /// Checks what must hold of each repair.
    func expectSound(_ report: RepairReport, _ what: String) throws {
        #expect(try YapDatabase.check(url: copy) == [], "\(what)")
        #expect(report.remaining == [], "\(what)")
        let found = try Self.rows(copy.path)
        #expect(found.count == report.rows, "\(what)")
        #expect(found.allSatisfy { rows[$0.key] == $0.value }, "\(what): a row is not as it was")
        let missing = rows.keys.filter { found[$0] == nil }
        let named = Set(
            report.lost.map { "\($0.rowid)" }
                + report.refused.filter { $0.table == "database2" }.compactMap { $0.rowid.map { "\($0)" } })
        if !missing.allSatisfy(named.contains) {
            // Without the index of the keys it is unknown which rows there were, and the report says so.
            #expect(report.damage.contains { $0.contains("may be") || $0.contains("The schema is lost") }, "\(what)")
        }
        #expect(named.allSatisfy { found[$0] == nil }, "\(what): a row is called lost and is there")
        try expectUsable(report, found, what)
    }

    /// A program that registers the extensions has them all right again.
    private func expectUsable(_ report: RepairReport, _ found: [String: [String]], _ what: String) throws {
        let database = try YapDatabase(url: copy)
        try Ledger.prepareAll(database, writers: Self.writers)
        if found.count == rows.count, !report.hasLosses {
            try database.newConnection().read { transaction in
                for writer in Self.writers { _ = try Ledger(writer: writer).number(in: transaction) }
            }
        }
        try database.close()
        #expect(try YapDatabase.check(url: copy) == [], "\(what): after the extensions were registered")
    }
}
