import Dispatch
import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import FileReading

@Suite struct LongLogTests {
    @Test func aFollowerStepsOutOfALongLogThatIsCopied() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "t.sqlite").path
            let writer = try SQLiteHandle(path: path, mode: .create)
            try writer.execute("PRAGMA journal_mode = WAL")
            try writer.execute("PRAGMA wal_autocheckpoint = 0")
            try writer.execute("CREATE TABLE notes (text)")
            try writer.execute("INSERT INTO notes VALUES (zeroblob(5000000))")
            let snapshot = try BrowsedFile(path: path).snapshot
            #expect(try writer.checkpoint(.truncate).wasBusy)
            let following = try Following(snapshot) {}
            try waitUntil("The log can begin again") { try !writer.checkpoint(.truncate).wasBusy }
            let query = "SELECT length(text) FROM notes"
            #expect(try snapshot.read { try $0.first(query) { $0.int64(at: 0) } } == 5_000_000)
            #expect(try snapshot.work { try $0.first(query) { $0.int64(at: 0) } } == 5_000_000)
            following.stop()
            snapshot.close()
        }
    }
}
