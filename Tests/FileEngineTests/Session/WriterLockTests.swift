import Foundation
import Testing

@testable import FileEngine

/// The lock of writers that a checkpoint takes. It is no transaction, so its holder does not read the log.
@Suite struct WriterLockTests {
    private func makeStore(_ path: String, busyTimeout: Int) throws -> Store {
        var options = TestOptions()
        options.busyTimeout = busyTimeout
        return try Store.open(path: path, options: options).0
    }

    @Test func nothingIsCommittedMeanwhileAndTheLogIsReadByNone() throws {
        try withTemporaryStore { store, path in
            let (writer, locker) = (try makeStore(path, busyTimeout: 20), try makeStore(path, busyTimeout: 20))
            _ = try writer.write {}
            let before = try #require(store.handle.logPosition)
            #expect(before.frames > 0)
            let isCopied = try locker.whileWritersAreLocked {
                expectError(.locked) { _ = try writer.beginWrite() }
                #expect(try writer.read { try writer.snapshotNumber() } == 1, "reading goes on")
                #expect(writer.whileWritersAreLocked {} == nil, "it is held once")
                return try store.handle.checkpoint(.passive).isComplete && !store.handle.isLogRead
            }
            #expect(isCopied == true)
            // The next commit begins the log again.
            _ = try writer.write {}
            let after = try #require(store.handle.logPosition)
            #expect(after.frames < before.frames + 1 && after.salt != before.salt)
        }
    }

    @Test func aWriterThatStaysIsNotWaitedForLongerThanTheTimeout() throws {
        try withTemporaryStore { _, path in
            let (writer, locker) = (try makeStore(path, busyTimeout: 20), try makeStore(path, busyTimeout: 20))
            _ = try writer.beginWrite()
            #expect(locker.whileWritersAreLocked {} == nil)
            try writer.rollback()
            #expect(locker.whileWritersAreLocked {} != nil)
        }
    }

    @Test func itIsGivenBackAfterAnError() throws {
        struct Failure: Error {}
        try withTemporaryStore { _, path in
            let (writer, locker) = (try makeStore(path, busyTimeout: 20), try makeStore(path, busyTimeout: 20))
            #expect(throws: Failure.self) { try locker.whileWritersAreLocked { throw Failure() } }
            _ = try writer.write {}
        }
    }
}
