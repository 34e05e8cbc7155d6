import CFaultyVFS
import Foundation
import TortureLedger
import YapDatabase

// Three versions of a value, whose rows a migration writes in the newest one.

private struct NoteV1: Codable, Sendable {
    var id: Int
    var text: String
}

private struct NoteV2: Codable, Sendable {
    var id: Int
    var lines: [String]
}

private struct Note: Codable, Equatable, Sendable, Identifiable {
    var id: Int
    var lines: [String]
    var count: Int
}

private let v1 = YapCollection("notes", of: NoteV1.self, key: { $0.id })
private let v2 = YapCollection(
    "notes", of: NoteV2.self, version: 2,
    migrating: .from(1, NoteV1.self) { NoteV2(id: $0.id, lines: [$0.text]) }, key: { $0.id })
private let v3 = YapCollection(
    "notes", of: Note.self, version: 3, migrating: .from(1, NoteV1.self) { NoteV2(id: $0.id, lines: [$0.text]) },
    .from(2, NoteV2.self) { Note(id: $0.id, lines: $0.lines, count: $0.lines.count) })

private let order = YapList("order", of: v3, groupedBy: \.count, sortedBy: .descending(\.id))
private let counts = YapIndex("counts", of: v3, on: \.count)

/// More than two batches.
private let noteCount = 2_300

private func expected(_ id: Int) -> Note {
    let lines = (0...id % 3).map { "line \($0) of \(id)" }
    // The first version has one line.
    return id % 2 == 0 ? Note(id: id, lines: [lines[0]], count: 1) : Note(id: id, lines: lines, count: lines.count)
}

/// Makes the file: rows of the first two versions, with a list and an index over them.
func makeNotes(path: String) throws {
    let database = try YapDatabase(url: URL(filePath: path))
    try database.newConnection().readWrite { transaction in
        for id in 0..<noteCount {
            let note = expected(id)
            if id % 2 == 0 {
                try transaction[v1].save(NoteV1(id: id, text: note.lines[0]))
            } else {
                try transaction[v2].save(NoteV2(id: id, lines: note.lines))
            }
        }
    }
    try database.register(order, counts)
    try database.close()
}

/// Migrates the file, and dies before step number `step`: a call of SQLite that changes a file or the shared index. Ends normally if the
/// migration has fewer steps.
func migrateNotes(path: String, step: Int32) throws {
    try require(faulty_vfs_install() == 0, "the file access cannot be installed")
    faulty_vfs_arm(Int32(FAULTY_KILL.rawValue), step, 1)
    let database = try YapDatabase(url: URL(filePath: path))
    try database.register(order, counts)
    let result = try database.migrate(v3)
    try require(result.problems.isEmpty, "\(result.problems)")
    try database.close()
}

/// Checks that each row is there, in whatever version, in the list and in the index; then migrates the rest.
func checkNotes(path: String) throws {
    let database = try YapDatabase(url: URL(filePath: path))
    try database.register(order, counts)
    let connection = try database.newConnection()
    func check() throws {
        try connection.read { transaction in
            let notes = try transaction[v3].values().sorted { $0.id < $1.id }
            try require(notes == (0..<noteCount).map(expected), "the rows are others")
            let list = try transaction[order]
            for count in 1...3 {
                let ids = notes.filter { $0.count == count }.map(\.id).sorted(by: >)
                try require(list.values(in: "\(count)").map(\.id) == ids, "the list is another one")
                try require(transaction[v3].where(\.count == count).count == ids.count, "the index is another one")
            }
        }
    }
    try check()
    let result = try database.migrate(v3)
    try require(result.problems.isEmpty, "\(result.problems)")
    try check()
    try require(database.migrate(v3).migrated == 0, "rows were left")
    try database.close()
}

// MARK: Two versions of a program

/// The program of the first version, beside one that migrates: it saves new rows, and changes rows that are there, until it meets those of the
/// newer version everywhere. Reports each row that it changed.
func changeOldNotes(path: String) throws {
    let database = try YapDatabase(url: URL(filePath: path))
    let connection = try database.newConnection()
    report(0)
    var (refused, round) = (0, 0)
    while refused < 50 {
        for id in stride(from: round % 2 * 2, to: noteCount, by: 46) {
            do {
                try connection.readWrite { transaction in
                    try transaction[v1].save(NoteV1(id: noteCount + round, text: "new \(round)"))
                    // Half of them without reading what is there.
                    let isRead = round % 2 == 0
                    if isRead { try transaction[v1].update(id) { $0.text = "changed \(id)" } }
                    if !isRead { try transaction[v1].save(NoteV1(id: id, text: "changed \(id)")) }
                }
                report(id)
                refused = 0
            } catch let error as YapDatabaseError where [.newerVersion, .decodingFailed].contains(error.code) {
                // Nothing of the transaction was stored.
                refused += 1
            }
            round += 1
        }
    }
    try database.close()
}

/// Migrates until nothing is left to do and the other program has ended.
func migrateBesideOldNotes(path: String, other: Int32) throws {
    let database = try YapDatabase(url: URL(filePath: path))
    try database.register(order, counts)
    report(0)
    var isAlone = false
    while true {
        let result = try database.migrate(v3)
        try require(result.problems.isEmpty, "\(result.problems)")
        if isAlone { break }
        isAlone = kill(other, 0) != 0
    }
    try database.close()
}

/// Checks the file of both: every row has the newest version, changed ones as they were changed, and the program of the first version reads none.
func checkOldNotes(path: String, changed: Set<Int>) throws {
    let database = try YapDatabase(url: URL(filePath: path))
    try database.register(order, counts)
    try database.newConnection().read { transaction in
        let notes = try transaction[v3].values()
        try require(notes.count >= noteCount, "rows are lost")
        for note in notes where note.id < noteCount {
            var wanted = expected(note.id)
            if changed.contains(note.id) { wanted.lines = ["changed \(note.id)"] }
            try require(note == wanted, "row \(note.id) is \(note.lines)")
        }
        try require(transaction[order].count == notes.count, "the list is another one")
    }
    try require(database.migrate(v3).migrated == 0, "rows were left")
    try database.close()
}
