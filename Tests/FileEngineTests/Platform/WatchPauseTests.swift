import Testing

@testable import FileEngine

/// How soon the log is watched again after a write.
@Suite struct WatchPauseTests {
    /// A process that commits all the time: a look when the pause begins and one when it ends.
    private func commitOn(_ pause: inout WatchPause, _ commits: inout Int, pauses: Int) {
        for _ in 0..<2 * pauses {
            commits += 10
            pause.didLook(foundOthers: false, commits: commits)
        }
    }

    @Test func ownCommitsWithoutAPauseAreLookedAtLessOften() {
        var (pause, commits) = (WatchPause(), 0)
        #expect(pause.milliseconds == WatchPause.least)
        commitOn(&pause, &commits, pauses: 1)
        #expect(pause.milliseconds == 2 * WatchPause.least)
        commitOn(&pause, &commits, pauses: 10)
        #expect(pause.milliseconds == WatchPause.most)
    }

    @Test func aCommitOfAnotherProcessEndsIt() {
        var (pause, commits) = (WatchPause(), 0)
        commitOn(&pause, &commits, pauses: 10)
        pause.didLook(foundOthers: true, commits: commits + 1)
        #expect(pause.milliseconds == WatchPause.least)
    }

    @Test func aRestEndsIt() {
        var (pause, commits) = (WatchPause(), 0)
        commitOn(&pause, &commits, pauses: 10)
        pause.didLook(foundOthers: false, commits: commits)
        #expect(pause.milliseconds == WatchPause.least)
    }

    /// Commits now and then, as of a person who types: the look when the pause ends finds no more of them.
    @Test func aWriterThatPausesChangesNothing() {
        var pause = WatchPause()
        for commits in 1..<100 {
            pause.didLook(foundOthers: false, commits: commits)
            pause.didLook(foundOthers: false, commits: commits)
            #expect(pause.milliseconds == WatchPause.least)
        }
    }

    @Test func aProcessThatOnlyReadsLooksAsSoonAsAlways() {
        var pause = WatchPause()
        for _ in 1..<100 {
            pause.didLook(foundOthers: false, commits: 0)
            #expect(pause.milliseconds == WatchPause.least)
        }
    }
}
