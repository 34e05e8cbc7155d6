import Foundation
import ListChanges
import Testing

@testable import YapDatabase

@Suite struct CommitLogTests {
    private func commit(_ number: Int, rows: Int = 0) -> Commit {
        var edits = RowEdits()
        for row in 0..<rows { edits.change(.object, for: RowKey(collection: "", key: "\(row)")) }
        return Commit(snapshot: Snapshot(version: .init(number: number, change: UInt32(number))), edits: edits)
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

    /// Between COMMIT and its confirmation another process commits, and a reader finds that. Whatever the first commit registered would be
    /// lost if the log began there with the state before.
    @Test func aLaterCommitOfAnotherProcessWaitsForTheOneThatIsToBeConfirmed() {
        let log = CommitLog(base: commit(0))
        let (registering, theirs) = (commit(1), commit(2))
        let tip = log.tip
        log.publish(registering)
        #expect(log.isAwaited(before: theirs.version) && !log.isAwaited(before: registering.version))
        #expect(log.adopt(theirs, after: log.tip) == nil && log.adopt(theirs, after: tip) == nil)
        let before = log.latest
        log.confirm()
        #expect(log.latest === registering.snapshot && !log.isAwaited(before: theirs.version))
        // The reader had made it like the state before, and the first commit was confirmed meanwhile.
        #expect(log.adopt(theirs, after: log.tip, likeThat: before) == nil)
        #expect(log.adopt(theirs, after: log.tip) === theirs)
    }

    @Test func aRegistrationWithoutACommitChangesTheNewestStateAndIsAnnounced() {
        let log = CommitLog(base: commit(0))
        log.publish(commit(1))
        let (before, author) = (log.latest, NSObject())
        let registered = Snapshot(version: before.version)
        // A commit of this process is being made, which knows nothing of it.
        #expect(!log.register(registered, on: before, by: author))
        log.confirm()
        let committed = log.latest
        let after = Snapshot(version: committed.version)
        #expect(!log.register(registered, on: before, by: author))
        #expect(log.register(after, on: committed, by: author))
        #expect(log.latest === after && log.start.registration?.snapshot === after && log.commit(1)?.snapshot === after)
        #expect(numbers(log.popUnannounced()) == [1, 1])
        // What was made like the state before has to be made again.
        #expect(!log.extend(by: [commit(2)], after: committed))
        #expect(log.adopt(commit(2), after: log.tip, likeThat: committed) == nil)
        #expect(log.extend(by: [commit(2)], after: after))
        #expect(log.start.registration == nil)
    }

    @Test func theNewestCommittedStaysWhileAnotherIsAboutToBe() {
        let log = CommitLog(base: commit(0))
        log.publish(commit(1))
        log.confirm()
        let pending = commit(2)
        log.publish(pending)
        // The log is trimmed meanwhile, because a commit of another process was announced.
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
        #expect(log.adopt(theirs, after: log.tip) == nil)
        log.withdraw(failed)
        #expect(log.adopt(theirs, after: log.tip) === theirs)
        #expect(log.latest.number == 9)
    }

    @Test func commitsAreAnnouncedOnceAndInOrder() {
        let log = CommitLog(base: commit(0))
        log.publish(commit(1))
        // Not made yet.
        #expect(numbers(log.popUnannounced()) == [])
        log.confirm()
        // Another process's is learned before this one's is announced.
        #expect(log.extend(by: [commit(2), commit(3)], after: log.latest))
        #expect(numbers(log.popUnannounced()) == [1, 2, 3])
        #expect(numbers(log.popUnannounced()) == [])
    }

    @Test(arguments: [true, false]) func whatWasBuiltOnACommitIsAnnouncedAfterIt(isMade: Bool) {
        let log = CommitLog(base: commit(0))
        let pending = commit(1)
        log.publish(pending)
        // Met between COMMIT and the moment when the log hears of it.
        #expect(log.adopt(commit(2), after: log.tip) == nil && !log.extend(by: [commit(2)], after: log.latest))
        #expect(numbers(log.popUnannounced()) == [])
        if isMade { log.confirm() } else { log.withdraw(pending) }
        let theirs = commit(2)
        #expect(log.adopt(theirs, after: log.tip) === theirs)
        #expect(log.extend(by: [commit(3)], after: theirs.snapshot))
        #expect(numbers(log.popUnannounced()) == (isMade ? [1, 2, 3] : [2, 3]))
        #expect(log.latest.number == 3)
    }

    @Test func aStateWithoutACounterIsNeitherKeptNorAnnounced() {
        func loaded(_ number: Int, _ change: UInt32?) -> Commit {
            Commit(snapshot: Snapshot(version: .init(number: number, change: change)), isExternal: true)
        }
        let log = CommitLog(base: commit(3))
        for number in [2, 3, 9] {
            let unclear = loaded(number, nil)
            #expect(log.adopt(unclear, after: log.tip) === unclear && log.commit(number) !== unclear)
        }
        #expect(log.popUnannounced().isEmpty && log.latest.number == 3)
        let clear = loaded(9, 12)
        #expect(log.adopt(clear, after: log.tip) === clear && log.commit(9) === clear)
    }

    @Test func theLogFollowsAFileThatGoesBack() {
        let log = CommitLog(base: commit(0))
        for number in 1...9 { log.publish(commit(number)) }
        log.confirm()
        _ = log.popUnannounced()
        let tip = log.tip
        let back = commit(4)
        #expect(log.adopt(back, after: tip) === back && log.latest.number == 4)
        // Begun before that, and so perhaps older.
        #expect(log.adopt(commit(9), after: tip) == nil && log.latest.number == 4)
        log.publish(commit(5))
        log.confirm()
        #expect(numbers(log.commits(after: 4, through: 5)) == [5])
        #expect(numbers(log.popUnannounced()) == [4, 5])
        log.trim(keepingAfter: 9)
        #expect(log.latest.number == 5)
    }

    @Test func aWriterWhoseStateAReaderPutAsideStartsTheLogAgain() {
        let log = CommitLog(base: commit(5))
        _ = log.adopt(commit(2), after: log.tip)
        let next = commit(6)
        log.publish(next, on: commit(5).snapshot)
        #expect(log.latest.number == 5)
        log.confirm()
        #expect(numbers(log.commits(after: 5, through: 6)) == [6] && log.commits(after: 2, through: 6) == nil)
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
        for number in 1...4 {
            log.publish(commit(number, rows: CommitLog.sizeLimit * 3 / 10 / (RowChanges.sizeOfEntry + 6)))
        }
        log.trim(keepingAfter: 0)
        #expect(log.commit(1) == nil && log.commit(2) != nil)
    }

    @Test func aForeignSnapshotStartsTheLogAgainOnce() {
        let log = CommitLog(base: commit(3))
        let (first, second) = (commit(9), commit(9))
        let tip = log.tip
        #expect(log.adopt(first, after: tip) === first)
        #expect(log.adopt(second, after: tip) === first)
        #expect(log.adopt(commit(8), after: tip) == nil && log.latest.number == 9)
        #expect(log.commits(after: 3, through: 9) == nil)
    }
}

extension CommitLog {
    /// Adds a record on top of the newest one.
    func publish(_ commit: Commit) { publish(commit, on: Snapshot(version: tip)) }
}

extension CommitLog {
    /// Of a state that was made like the newest one.
    func adopt(_ commit: Commit, after tip: FileVersion) -> Commit? {
        adopt(commit, after: tip, likeThat: latest)
    }
}
