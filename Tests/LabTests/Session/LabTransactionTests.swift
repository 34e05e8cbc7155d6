import LiveTable
import Testing

@testable import AnimationLab

@Suite struct LabTransactionTests {
    @Test func collectedEditsAreOneTransaction() throws {
        try withSession(.small) { session in
            session.isCollecting = true
            #expect(try session.perform(.delete(.lab("k1"))) == nil)
            #expect(try session.perform(.insertAfter(.lab("k3"))) == nil)
            #expect(session.shown == "A: k1 k2 k3 | B: k4")
            let outcome = try session.commit()
            #expect(
                outcome?.text == ["delete [0,0] c/k1 (object, metadata)", "insert [0,2] c/k5 (object, metadata)"])
            #expect(session.steps[0].step.commits.count == 1)
        }
    }

    @Test func heldCommitsAreOneJump() throws {
        try withSession(.small) { session in
            session.isHolding = true
            #expect(try session.perform(.delete(.lab("k1"))) == nil)
            #expect(try session.perform(.moveToGroup(.lab("k2"), by: 1)) == nil)
            #expect(session.shown == "A: k1 k2 k3 | B: k4")
            _ = try session.jump()
            #expect(session.shown == "A: k3 | B: k4 k2")
            #expect(session.steps.count == 1 && session.steps[0].step.commits.count == 2)
            #expect(session.steps[0].advance.notifications == 2)
        }
    }

    @Test func undoTakesBackWhatTheListHasNotSeen() throws {
        try withSession(.small) { session in
            session.isHolding = true
            _ = try session.perform(.delete(.lab("k1")))
            _ = try session.perform(.delete(.lab("k2")))
            session.isCollecting = true
            _ = try session.perform(.delete(.lab("k3")))
            #expect(try session.undo() == nil && session.collected.isEmpty)
            #expect(try session.undo() == nil && session.held.count == 1)
            _ = try session.jump()
            #expect(session.shown == "A: k2 k3 | B: k4")
            #expect(session.steps[0].step.commits == [[.remove(.lab("k1"))]])
        }
    }

    @Test func aSettingShowsAtOnceAndIsAStep() throws {
        try withSession(.small) { session in
            _ = try session.perform(.delete(.lab("k4")))
            #expect(session.shown == "A: k1 k2 k3 | B:")
            let outcome = try session.configure([.dynamicSection(true, group: "B")])
            #expect(outcome.text == ["delete section 1 B"])
            #expect(session.shown == "A: k1 k2 k3")
            let range = RangeSetup(kind: .fixed, length: 2, offset: 0, from: .end)
            #expect(try session.configure([.range(range, group: "A")]).text == ["delete [0,0] c/k1 (object, metadata)"])
            #expect(session.shown == "A: k2 k3")
            _ = try session.undo()
            _ = try session.undo()
            #expect(session.shown == "A: k1 k2 k3 | B:")
        }
    }

    @Test func aSettingLeavesCollectedEditsWaiting() throws {
        try withSession(.small) { session in
            session.isCollecting = true
            _ = try session.perform(.delete(.lab("k1")))
            _ = try session.configure([.reverse(true, group: "A")])
            #expect(session.shown == "A: k3 k2 k1 | B: k4")
            _ = try session.commit()
            #expect(session.shown == "A: k3 k2 | B: k4")
            let result = try session.scenario.replayedInScratch()
            #expect(result.steps.map(\.outcome) == session.steps.map(\.advance.outcome))
        }
    }
}
