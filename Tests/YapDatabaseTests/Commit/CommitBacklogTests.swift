import Foundation
import ListChanges
import Testing

@testable import YapDatabase

/// What waits for consumers that do not come is bounded.
@Suite struct CommitBacklogTests {
    private func commit(_ number: Int, rows: Int = 1) -> Commit {
        var edits = RowEdits()
        for row in 0..<rows { edits.insert(RowKey(collection: "c", key: "key \(row)")) }
        return Commit(snapshot: Snapshot(version: .init(number: number, change: UInt32(number))), edits: edits)
    }

    @Test func manyCommitsBecomeOneThatSaysThatAnythingMayHaveChanged() {
        var backlog = CommitBacklog()
        for number in 1...CommitBacklog.countLimit { backlog.append([commit(number)]) }
        #expect(backlog.commits.map(\.snapshot.number) == Array(1...CommitBacklog.countLimit))
        backlog.append([commit(1_000), commit(1_001)])
        #expect(backlog.commits.map(\.snapshot.number) == [1_000, 1_001])
        let (merged, last) = (backlog.popFirst(), backlog.popFirst())
        #expect(
            merged?.isExternal == true && merged?.isForeign == false && last?.isExternal == false && backlog.isEmpty)
    }

    @Test func largeCommitsCountByTheirBytes() {
        var backlog = CommitBacklog()
        for number in 1...50 { backlog.append([commit(number, rows: 10_000)]) }
        #expect(backlog.commits.count < 5 && backlog.commits.first?.isExternal == true)
        #expect(backlog.commits.last?.snapshot.number == 50)
    }

    @Test func aStreamThatIsNotReadGetsOneCommitForAllThatItMissed() async throws {
        try await withTemporaryDatabase { database in
            let stream = database.commits
            let connection = try database.newConnection()
            let count = CommitBacklog.countLimit + 100
            for number in 1...count { try connection.readWriteNow { try $0.setObject(number, forKey: "k") } }
            var iterator = stream.makeAsyncIterator()
            let first = try #require(await iterator.next())
            #expect(first.isExternal && first.snapshot == CommitBacklog.countLimit + 1)
            var last = first
            while last.snapshot < count, let next = await iterator.next() {
                #expect(next.snapshot == last.snapshot + 1 && !next.isExternal)
                last = next
            }
            #expect(last.snapshot == count)
        }
    }
}

extension YapDatabaseConnection {
    /// The sync form, also in async code.
    fileprivate func readWriteNow(_ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
        try readWrite(body)
    }
}
