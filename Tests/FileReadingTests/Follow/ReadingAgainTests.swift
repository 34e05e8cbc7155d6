import SQLiteBridge
import Testing
import YapDatabase

@testable import FileReading

/// A read of a state that no lock holds, beside a program that writes.
@Suite struct ReadingAgainTests {
    @Test func aReadBeginsAgainInTheNextState() throws {
        try withCopy(of: "books") { copy in
            let writer = try SQLiteHandle(path: copy.path, mode: .readWrite)
            try writer.execute("PRAGMA journal_mode = DELETE")
            let file = try BrowsedFile(path: copy.path)
            var attempts = 0
            let count = try file.readingAgain {
                attempts += 1
                // As VACUUM, and any commit, does to a reader without locks.
                if attempts < 3 { try writer.execute("DELETE FROM database2 WHERE rowid = \(attempts)") }
                return try file.snapshot.read { try $0.first("SELECT count(*) FROM database2") { $0.int64(at: 0) } }
            }
            #expect(attempts == 3 && count == 479)
        }
    }

    @Test func whatIsNoChangeIsThrownAtOnce() throws {
        try withCopy(of: "books") { copy in
            let file = try BrowsedFile(path: copy.path)
            var attempts = 0
            let error = #expect(throws: YapDatabaseError.self) {
                try file.readingAgain { () throws -> Void in
                    attempts += 1
                    throw YapDatabaseError(.cannotOpen, "no")
                }
            }
            #expect(attempts == 1 && error?.message == "no")
        }
    }
}
