import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// Two journals of one file stand for two processes: their locks are those of the open file, not of the process.
@Suite struct CommitJournalTests {
    private func withFile(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try Data().write(to: url)
            try body(url)
        }
    }

    private func mark(_ number: Int) -> Snapshot.Mark { Snapshot.Mark(number: number, change: UInt32(number)) }

    /// The commit that made the state with the number out of the one before.
    private func entry(_ number: Int, key: String) -> JournalEntry {
        var changes = RowChanges()
        changes.insert(.object, for: RowKey(collection: "c", key: key))
        return JournalEntry(
            before: mark(number - 1), after: mark(number), changes: changes, logs: [:], isIncomplete: false)
    }

    private func commit(_ number: Int, key: String, _ journal: CommitJournal) throws {
        try journal.append(entry(number, key: key))
        journal.confirm()
    }

    private func keys(_ journal: CommitJournal, from before: Int, to after: Int) -> [String]? {
        journal.entries(from: mark(before), to: mark(after))?.flatMap {
            $0.changes.rows[ExactString("c"), default: [:]].keys.map(\.text)
        }
    }

    @Test func whoReadsFollowsWhoWrites() throws {
        try withFile { url throws in
            let journals = try (0..<2).map { _ in try CommitJournal(database: url.path) }
            for number in 1...4 { try commit(number, key: "\(number)", journals[number % 2]) }
            #expect(keys(journals[0], from: 1, to: 3) == ["2", "3"])
            #expect(keys(journals[0], from: 0, to: 4) == ["1", "2", "3", "4"])
            #expect(keys(journals[1], from: 0, to: 5) == nil)
        }
    }

    @Test func theFirstToOpenItBeginsAnew() throws {
        try withFile { url throws in
            // Gone without a close, as killed processes are.
            try {
                let journals = try (0..<2).map { _ in try CommitJournal(database: url.path) }
                try commit(1, key: "old", journals[0])
            }()
            #expect(try Data(contentsOf: URL(filePath: url.path + "-commits")).count > 32)
            let first = try CommitJournal(database: url.path)
            #expect(keys(first, from: 0, to: 1) == nil)
            let second = try CommitJournal(database: url.path)
            try commit(1, key: "new", first)
            // Nobody is alone any more, so what stands there stays.
            let third = try CommitJournal(database: url.path)
            for journal in [second, third] { #expect(keys(journal, from: 0, to: 1) == ["new"]) }
        }
    }

    @Test func anotherFileOfTheSameNameIsNotTheOneThatWasMeant() throws {
        try withFile { url throws in
            let (writer, reader) = (try CommitJournal(database: url.path), try CommitJournal(database: url.path))
            try commit(1, key: "old", writer)
            // The old file lives on, as it does while processes have it open.
            try FileManager.default.moveItem(atPath: url.path, toPath: url.path + ".old")
            try Data().write(to: url)
            #expect(keys(reader, from: 0, to: 1) == nil)
            let (newWriter, newReader) = (try CommitJournal(database: url.path), try CommitJournal(database: url.path))
            #expect(keys(newReader, from: 0, to: 1) == nil)
            try commit(1, key: "new", newWriter)
            try commit(2, key: "old", writer)
            #expect(keys(newReader, from: 0, to: 1) == ["new"])
            #expect(keys(reader, from: 0, to: 1) == nil && keys(newReader, from: 1, to: 2) == nil)
        }
    }

    @Test func ofTwoEntriesForOneStateTheNewerCounts() throws {
        try withFile { url throws in
            let (writer, reader) = (try CommitJournal(database: url.path), try CommitJournal(database: url.path))
            try commit(1, key: "overtaken", writer)
            try commit(2, key: "overtaken", writer)
            try commit(1, key: "newer", writer)
            #expect(keys(reader, from: 0, to: 1) == ["newer"])
        }
    }

    @Test func anEntryCountsFromCommitToConfirmationAndNotWhereItWasWithdrawn() throws {
        try withFile { url throws in
            let (writer, reader) = (try CommitJournal(database: url.path), try CommitJournal(database: url.path))
            try writer.append(entry(1, key: "withdrawn"))
            writer.withdraw()
            #expect(keys(reader, from: 0, to: 1) == nil)
            try writer.append(entry(1, key: "a"))
            // The writer lives and holds its lock.
            #expect(keys(reader, from: 0, to: 1) == ["a"])
            writer.confirm()
            #expect(keys(reader, from: 0, to: 1) == ["a"])
        }
    }

    @Test func aReaderFindsItsWayWhereTheJournalStartedAnewMeanwhile() throws {
        try withFile { url throws in
            let (writer, reader) = (try CommitJournal(database: url.path), try CommitJournal(database: url.path))
            let long = String(repeating: "k", count: CommitJournal.lengthLimit / 3)
            for number in 1...3 { try commit(number, key: long, writer) }
            #expect(keys(reader, from: 0, to: 3)?.count == 3)
            try commit(4, key: "d", writer)
            #expect(keys(reader, from: 0, to: 4) == nil)
            try commit(5, key: "e", reader)
            #expect(keys(writer, from: 3, to: 5) == ["d", "e"])
            #expect(keys(reader, from: 3, to: 5) == ["d", "e"])
        }
    }

    @Test func afterCloseNobodyReadsAndNothingHappens() throws {
        try withFile { url throws in
            let (closed, open) = (try CommitJournal(database: url.path), try CommitJournal(database: url.path))
            let path = url.path + "-commits"
            closed.close()
            #expect(FileManager.default.fileExists(atPath: path))
            try commit(1, key: "a", open)
            #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
            try commit(1, key: "a", closed)
            closed.withdraw()
            #expect(keys(closed, from: 0, to: 1) == nil)
            open.close()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aClosingJournalTakesAwayNoOther() throws {
        try withFile { url throws in
            let former = try CommitJournal(database: url.path)
            let path = url.path + "-commits"
            try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
            let latter = try CommitJournal(database: url.path)
            former.close()
            #expect(FileManager.default.fileExists(atPath: path))
            latter.close()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test(arguments: [0o600, 0o666]) func whoMayOpenTheDatabaseMayOpenTheJournal(mode: Int) throws {
        try withFile { url throws in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
            let journal = try CommitJournal(database: url.path)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path + "-commits")
            #expect(attributes[.posixPermissions] as? Int == mode)
            journal.close()
        }
    }
}
