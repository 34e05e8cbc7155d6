import Foundation
import TestSupport
import Testing

@testable import FileEngine

/// What the engine reads of the options of a database.
struct TestOptions: FileOptions {
    var corruptAction = YapDatabaseCorruptAction.fail
    var pragmaSynchronous = YapDatabaseSynchronous.off
    var pragmaJournalSizeLimit = 0
    var pragmaPageSize = 0
    var pragmaMMapSize = 0
    var aggressiveWALTruncationSize = 0
    var busyTimeout = 10_000
}

/// Runs a test with a handle of a new file, and checks the whole file afterwards.
func withTemporaryStore(_ body: (_ store: Store, _ path: String) throws -> Void) throws {
    try withTemporaryFolder { folder in
        let path = folder.appending(path: "file.sqlite").path
        do {
            let (store, _) = try Store.open(path: path, options: TestOptions())
            try body(store, path)
        }
        let (store, _) = try Store.open(path: path, options: TestOptions())
        #expect(try store.structureProblems(path: path) == [])
    }
}

extension Store {
    /// Runs a transaction and commits it as the next version.
    func write(_ body: () throws -> Void) throws -> (before: FileVersion, after: FileVersion) {
        let before = try beginWrite()
        try body()
        try setSnapshotNumber(before.number + 1)
        try commit()
        let after = try beginRead()
        try rollback()
        return (before, after)
    }

    /// Runs a read transaction.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        _ = try beginRead()
        defer { try? rollback() }
        return try body()
    }
}

/// The body must throw a ``YapDatabaseError`` with this code, whose text mentions some words.
func expectError(
    _ code: YapDatabaseError.Code, mentioning words: String = "", location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    let error = #expect(throws: YapDatabaseError.self, sourceLocation: location) { try body() }
    #expect(error?.code == code, sourceLocation: location)
    #expect(words.isEmpty || error.map { "\($0)".contains(words) } ?? false, sourceLocation: location)
}
