import LiveTable
import Testing

@testable import AnimationLab

/// Commits outside the session act as those of another program.
@Suite struct LabForeignTests {
    @Test func theTimelineBeginsAnewWithTheRowsThatAreThere() throws {
        try withSession(.small) { session in
            _ = try session.perform(.delete(.lab("k1")))
            try session.database.commit([.row("k9", "A", 25)])
            let outcome = try session.followForeignCommit()
            #expect(outcome?.text == ["insert [0,1] c/k9 (object, metadata)"])
            #expect(session.shown == "A: k2 k9 k3 | B: k4" && session.steps.isEmpty)
            #expect(session.lastMove?.way == .foreign && session.lastMove?.problem == nil)
            #expect(throws: LabRefusal("This is the beginning.")) { try session.undo() }
            _ = try session.perform(.moveUp(.lab("k9")))
            let result = try session.scenario.replayedInScratch()
            #expect(result.steps.map(\.after.hashValue) == session.steps.map(\.fingerprints.after))
            _ = try session.undo()
            #expect(session.shown == "A: k2 k9 k3 | B: k4" && session.lastMove?.problem == nil)
        }
    }

    @Test func theMappingsStayAsTheyWereSetUp() throws {
        try withSession(.small) { session in
            _ = try session.regroup(.list(["A", "D"]))
            _ = try session.configure([
                .reverse(true, group: "A"),
                .range(RangeSetup(kind: .fixed, length: 2, offset: 0, from: .beginning), group: "A"),
            ])
            try session.database.commit([.row("k9", "A", 40)])
            _ = try session.followForeignCommit()
            #expect(session.shown == "A: k9 k3 | D:")
            #expect(session.setup.groups == .list(["A", "D"]))
        }
    }

    @Test func collectedEditsStayAndHeldCommitsAreShown() throws {
        try withSession(.small) { session in
            session.isHolding = true
            _ = try session.perform(.delete(.lab("k1")))
            session.isCollecting = true
            _ = try session.perform(.delete(.lab("k2")))
            try session.database.commit([.row("k9", "B", 40)])
            _ = try session.followForeignCommit()
            #expect(session.shown == "A: k2 k3 | B: k4 k9" && session.held.isEmpty)
            #expect(session.collected.count == 1 && session.rows[.lab("k2")] == nil)
            _ = try session.undo()
            #expect(session.rows[.lab("k2")] != nil && session.collected.isEmpty)
        }
    }

    @Test func aCommitThatChangesNoRowLeavesTheTimeline() throws {
        try withSession(.small) { session in
            _ = try session.perform(.delete(.lab("k1")))
            try session.database.commit([])
            #expect(try session.followForeignCommit() == nil)
            #expect(session.position == 1)
            _ = try session.undo()
            #expect(session.shown == "A: k1 k2 k3 | B: k4" && session.lastMove?.problem == nil)
        }
    }
}
