import ListChanges
import Testing

@testable import YapDatabase

@Suite struct CommitLogTests {
    private func commit(_ number: Int, rows: Int = 0) -> Commit {
        var edits = RowEdits()
        for row in 0..<rows { edits.change(.object, for: RowKey(collection: "", key: "\(row)")) }
        return Commit(snapshot: Snapshot(mark: .init(number: number, change: UInt32(number))), edits: edits)
    }

    private func numbers(_ commits: [Commit]?) -> [Int]? { commits?.map(\.snapshot.number) }

    @Test func commitsBetweenTwoSnapshotsComeInOrder() {
        let log = CommitLog(base: commit(7))
        for number in 8...10 { log.publish(commit(number)) }
        #expect(numbers(log.commits(after: 8, through: 10)) == [9, 10])
        #expect(numbers(log.commits(after: 9, through: 9)) == [])
        #expect(numbers(log.commits(after: 6, through: 8)) == [7, 8])
        #expect(numbers(log.commits(after: 5, through: 8)) == nil)
        #expect(numbers(log.commits(after: 8, through: 11)) == nil)
        #expect(numbers(log.commits(after: 9, through: 8)) == nil)
        #expect(log.commit(10)?.snapshot.number == 10 && log.commit(11) == nil && log.commit(6) == nil)
    }

    @Test func aFailedCommitLeavesNoTrace() {
        let log = CommitLog(base: commit(0))
        let failed = commit(1)
        log.publish(failed)
        #expect(log.latest.number == 0 && log.commit(1) === failed)
        log.withdraw(failed)
        #expect(log.latest.number == 0 && log.commits(after: 0, through: 1) == nil)
        log.publish(commit(1))
        log.confirm()
        #expect(log.latest.number == 1)
    }

    @Test func theNewestCommittedStaysWhileAnotherIsAboutToBe() {
        let log = CommitLog(base: commit(0))
        log.publish(commit(1))
        log.confirm()
        let pending = commit(2)
        log.publish(pending)
        // Somebody tidies up meanwhile, because a commit of another process was announced.
        log.trim(keepingAfter: 5)
        #expect(log.latest.number == 1)
        log.withdraw(pending)
        #expect(log.latest.number == 1)
    }

    @Test func aFailedCommitThatAnotherProcessOvertookLeavesTheirs() {
        let log = CommitLog(base: commit(0))
        let failed = commit(1)
        log.publish(failed)
        let theirs = commit(9)
        #expect(log.adopt(theirs) === theirs)
        log.withdraw(failed)
        #expect(log.latest.number == 9)
    }

    @Test func theOldestGoWhenThereAreTooMany() {
        let log = CommitLog(base: commit(0))
        for number in 1...CommitLog.commitLimit + 5 { log.publish(commit(number)) }
        log.trim(keepingAfter: 0)
        #expect(numbers(log.commits(after: 6, through: CommitLog.commitLimit + 5))?.count == CommitLog.commitLimit - 1)
        #expect(log.commits(after: 3, through: 10) == nil)
    }

    @Test func theOldestGoWhenTheyChangedTooManyRows() {
        let log = CommitLog(base: commit(0))
        for number in 1...4 { log.publish(commit(number, rows: CommitLog.rowLimit / 3)) }
        log.trim(keepingAfter: 0)
        #expect(log.commit(1) == nil && log.commit(2) != nil)
    }

    @Test func aForeignSnapshotStartsTheLogAnewOnce() {
        let log = CommitLog(base: commit(3))
        let (first, second) = (commit(9), commit(9))
        #expect(log.adopt(first) === first)
        #expect(log.adopt(second) === first)
        #expect(log.adopt(commit(8)) !== first && log.latest.number == 9)
        #expect(log.commits(after: 3, through: 9) == nil)
    }
}
