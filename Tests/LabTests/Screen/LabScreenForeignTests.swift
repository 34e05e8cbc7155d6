import LiveTable
import Testing

@testable import AnimationLab

/// Commits outside the session act as those of another program.
@MainActor @Suite struct LabScreenForeignTests {
    @Test func aHeldListHoldsWhatAnotherProgramCommits() throws {
        try withLab([.small]) { bench in
            bench.press("h")
            try commit([.row("k9", "A", 25)], in: bench)
            #expect(bench.list == "A: k1 k2 k3 | B: k4")
            #expect(bench.hint.contains("Another program changed the file, and the list is held."))
            bench.press("j d")
            #expect(bench.list == "A: k1 k2 k3 | B: k4")
            #expect(bench.screen.contains("1 commit not shown"))
            #expect(bench.screen.contains("another program's commits not shown") && bench.hint.contains("Enter commit"))
            for key in ["u", "Left", "x"] {
                bench.press(key)
                #expect(bench.hint.contains("First show what another program committed"))
                #expect(bench.list == "A: k1 k2 k3 | B: k4")
            }
            bench.press("Enter")
            bench.wait(1)
            #expect(bench.list == "A: k2 k9 k3 | B: k4")
            #expect(bench.screen.contains("by another program") && bench.hint.contains("a new timeline begins"))
            bench.press("h")
            try commit([.row("k8", "A", 26)], in: bench)
            #expect(bench.list == "A: k2 k9 k8 k3 | B: k4")
        }
    }

    @Test func holdingNoLongerShowsIt() throws {
        try withLab([.small]) { bench in
            bench.press("h")
            try commit([.row("k9", "A", 25)], in: bench)
            bench.press("h")
            #expect(bench.list == "A: k1 k2 k9 k3 | B: k4")
            #expect(!bench.screen.contains("not shown") && bench.screen.contains("law       holds"))
        }
    }

    /// Commits there and here may together restore the state before.
    @Test func whatWasTakenBackThereIsACommitHere() throws {
        try withLab([.small]) { bench in
            bench.press("h j d")
            try commit([.row("k1", "A", 10)], in: bench)
            bench.press("Enter")
            #expect(bench.list == "A: k1 k2 k3 | B: k4")
            #expect(!bench.lab.session.isHoldingForeign && bench.lab.session.held.isEmpty)
        }
    }

    @Test func aCommitWithoutAChangeIsNotHeld() throws {
        try withLab([.small]) { bench in
            bench.press("h")
            try commit([], in: bench)
            #expect(!bench.lab.session.isHoldingForeign)
            bench.press("h j d")
            #expect(bench.list == "A: k2 k3 | B: k4")
        }
    }

    private func commit(_ operations: [RowOperation], in bench: LabBench) throws {
        try bench.lab.session.database.commit(operations)
        bench.lab.followForeignCommit(of: bench.lab.session.database.database)
    }
}
