import FileEngine
import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing
import TortureLedger
import YapDatabase

@testable import FileReading

/// Repairs of files with rows that follow from other rows, and with lists and indexes over them.
@Suite struct DerivedRepairTests {
    private func withFile(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "damaged.sqlite")
            let database = try YapDatabase(url: url)
            try RelatedRows.register(database)
            try database.newConnection().readWrite { try RelatedRows.fill(300, in: $0) }
            try database.close()
            try body(url)
        }
    }

    private func repair(_ url: URL) throws -> (copy: URL, report: RepairReport) {
        let copy = url.deletingLastPathComponent().appending(path: "copy.sqlite")
        for name in FileImport.names(copy.path) { unlink(name) }
        let report = try FileRepair(
            url.path, to: copy.path, check: { try YapDatabase.checkReport(url: URL(filePath: $0)) }
        ).run()
        return (copy, report)
    }

    /// The lists of the copy are what its rows give.
    private func expectRight(_ copy: URL, _ what: Comment) throws {
        #expect(try YapDatabase.check(url: copy) == [], what)
        let database = try YapDatabase(url: copy)
        try RelatedRows.register(database)
        #expect(throws: Never.self, what) { try database.newConnection().read { try RelatedRows.check(in: $0) } }
        try database.close()
        #expect(try YapDatabase.check(url: copy) == [], what)
    }

    @Test func aSoundFileIsCopiedAsItIs() throws {
        try withFile { url throws in
            let (copy, report) = try repair(url)
            #expect(report.parts.isEmpty && !report.hasLosses, "\(report.parts) \(report.lost) \(report.refused)")
            try expectRight(copy, "a sound file")
        }
    }

    /// What follows from rows is made again, and is no loss.
    @Test(arguments: [
        "DELETE FROM fts_titles_data WHERE id > 10", "DELETE FROM yap_derived WHERE rowid % 3 = 0",
        "DROP TABLE yap_derived",
        #"DELETE FROM "derived_assigned.rows" WHERE rowid % 3 = 0"#, #"DROP TABLE "derived_assigned.rows""#,
        "DELETE FROM view_board_map WHERE rowid % 7 = 1", "UPDATE view_tags_page SET count = count + 1 WHERE rowid = 1",
        "DELETE FROM yap2 WHERE extension = 'assigned.rows'",
    ]) func whatFollowsFromRowsIsMadeAgain(sql: String) throws {
        try withFile { url throws in
            try SQLiteHandle(path: url.path, mode: .readWrite).execute(sql)
            let (copy, report) = try repair(url)
            #expect(
                !report.hasLosses && report.lost.isEmpty && report.refused.isEmpty,
                "\(sql): \(report.damage) \(report.refused)")
            try expectRight(copy, "\(sql)")
        }
    }

    @Test(arguments: Effort.some(Array(1...12) as [UInt64])) func randomPagesLeaveASoundCopy(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try withFile { url throws in
            let sound = Array(try Data(contentsOf: url))
            let size = Int(sound[16]) << 8 | Int(sound[17])
            for step in 0..<5 {
                var bytes = sound
                let pages = (0...random.below(2)).map { _ in 2 + random.below(sound.count / size - 1) }
                for page in pages {
                    let content = random.percent(50) ? 0 : UInt8(random.below(256))
                    bytes.replaceSubrange(
                        (page - 1) * size..<page * size, with: repeatElement(content, count: size))
                }
                try Data(bytes).write(to: url)
                let what: Comment = "seed \(seed), step \(step), pages \(pages)"
                let (copy, report) = try repair(url)
                #expect(report.remaining == [], what)
                try expectRight(copy, what)
            }
        }
    }

    /// A copy has the summary of the mutations that it has, whatever the file said of them.
    @Test(arguments: ["1 2 3 600", "1 1 2 600", "1 4 3 0", "many"]) func theSummaryOfMutationsIsRight(summary: String)
        throws
    {
        try withFile { url throws in
            let database = try YapDatabase(url: url)
            let connection = try database.newConnection()
            try connection.writePastAuthority { transaction throws in
                let (number, notes) = ("\(transaction.numberOfCommit)", YapDatabaseServerCollections.only(["notes"]))
                let position = ["1", "5", "", number, notes.line, UUID().uuidString, "space"]
                try transaction.setFileValue(position.joined(separator: "\n"), SpaceValue.position)
            } confirming: { _ in
            }
            for _ in 0..<3 { try connection.mutate(Note()) }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
            try SQLiteHandle(path: url.path, mode: .readWrite).execute(
                "UPDATE yap2 SET data = '\(summary)' WHERE key = 'server-mutations'")
            #expect(try YapDatabase.check(url: url).count == 1)
            let (copy, report) = try repair(url)
            #expect(!report.hasLosses && report.remaining == [], "\(report.remaining)")
            try expectRight(copy, "\(summary)")
            let copied = try YapDatabase(url: copy)
            #expect(try copied.newConnection().read { try $0.pendingMutations().map(\.number) } == [1, 2, 3])
            try copied.close()
        }
    }
}

private struct Note: YapMutation {
    static let mutationName = "note"

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction.setObject("text", forKey: "k", inCollection: "notes")
    }
}
