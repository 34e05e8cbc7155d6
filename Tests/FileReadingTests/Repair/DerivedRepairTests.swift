import FileEngine
import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing
import YapDatabase

@testable import FileReading

/// Repairs of files with rows that follow from other rows, and with lists and indexes over them.
@Suite struct DerivedRepairTests {
    private struct Chore: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var title: String
        var person: Int
        var tags: [String]
    }
    private struct Person: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var name: String
    }

    private static let tasks = YapCollection("tasks", of: Chore.self)
    private static let people = YapCollection("people", of: Person.self)
    private static let assigned = YapJoin("assigned", of: tasks, joining: \.person, to: people)
    private static let board = YapList(
        "board", of: assigned.rows, groupedBy: \.other.name, sortedBy: .ascending(\.row.id))
    private static let texts = YapTextIndex("texts", of: assigned.rows, on: \.row.title)
    private static let tagged = YapList("tagged", of: tasks, groupedByEach: \.tags, sortedBy: .ascending(\.row.id))
    private static let tags = YapList("tags", groupsOf: tagged, sortedBy: .ascending(\.name))
    private static let numbers = YapIndex("numbers", of: assigned.rows, on: \.row.person)

    private static func register(_ database: YapDatabase) throws {
        try database.register(assigned, board, texts, tagged, tags, numbers)
    }

    private func withFile(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "damaged.sqlite")
            let database = try YapDatabase(url: url)
            try Self.register(database)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Self.people].save((0..<5).map { Person(id: $0, name: "person \($0)") })
                for id in 0..<300 {
                    let title = "paint the wall \(id) in a colour that fills some bytes of a page"
                    try transaction[Self.tasks].save(
                        Chore(id: id, title: title, person: id % 7, tags: (0..<id % 4).map { "tag \($0)" }))
                }
            }
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
        try Self.register(database)
        try database.newConnection().read { transaction throws in
            let all = try transaction[Self.tasks].values().sorted { $0.id < $1.id }
            let people = Dictionary(uniqueKeysWithValues: try transaction[Self.people].values().map { ($0.id, $0) })
            let joined = all.filter { people[$0.person] != nil }
            let board = Dictionary(grouping: joined) { people[$0.person]!.name }
            let shown = try transaction[Self.board].groups.map {
                ($0, try transaction[Self.board].values(in: $0).map(\.row))
            }
            #expect(Dictionary(uniqueKeysWithValues: shown) == board, what)
            let found = try transaction[Self.texts].keys(matching: .words(in: "wall"))
            #expect(Set(found) == Set(joined.map(\.id)), what)
            let counts = Dictionary(all.flatMap(\.tags).map { ($0, 1) }, uniquingKeysWith: +)
            let groups = try transaction[Self.tags].values().map { ($0.name, $0.count) }
            #expect(Dictionary(uniqueKeysWithValues: groups) == counts, what)
            #expect(try transaction[Self.assigned.rows.where(\.row.person >= 0)].count == joined.count, what)
        }
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
        "DELETE FROM fts_texts_data WHERE id > 10", "DELETE FROM yap_derived WHERE rowid % 3 = 0",
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
}
