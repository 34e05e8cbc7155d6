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

    @Test func commitsAreAnnouncedOnceAndInOrder() {
        let log = CommitLog(base: commit(0))
        log.publish(commit(1))
        // Not made yet.
        #expect(numbers(log.takeUnannounced()) == [])
        log.confirm()
        // Another process's is learned before this one's is announced.
        #expect(log.extend(by: [commit(2), commit(3)], after: commit(1).snapshot.mark))
        #expect(numbers(log.takeUnannounced()) == [1, 2, 3])
        #expect(numbers(log.takeUnannounced()) == [])
    }

    @Test(arguments: [true, false]) func whatWasBuiltOnACommitIsAnnouncedAfterIt(isMade: Bool) {
        let log = CommitLog(base: commit(0))
        let pending = commit(1)
        log.publish(pending)
        // Met between COMMIT and the moment when the log hears of it.
        _ = log.adopt(commit(2))
        #expect(log.extend(by: [commit(3)], after: commit(2).snapshot.mark))
        #expect(numbers(log.takeUnannounced()) == [])
        if isMade { log.confirm() } else { log.withdraw(pending) }
        #expect(numbers(log.takeUnannounced()) == (isMade ? [1, 2, 3] : [2, 3]))
        #expect(log.latest.number == 3)
    }

    @Test func aStateWithoutACounterIsKeptUntilItIsMetWithOne() {
        func met(_ number: Int, _ change: UInt32?) -> Commit {
            Commit(snapshot: Snapshot(mark: .init(number: number, change: change)), isExternal: true)
        }
        let log = CommitLog(base: commit(3))
        let old = met(3, nil)
        // Used by whoever met it, and neither kept nor announced.
        #expect(log.adopt(old) === old && log.commit(3) !== old && log.takeUnannounced().isEmpty)
        #expect(log.adopt(met(9, nil)) != nil && log.latest.number == 9)
        let told = met(9, 12)
        #expect(log.adopt(told) === told && log.commit(9) === told)
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
