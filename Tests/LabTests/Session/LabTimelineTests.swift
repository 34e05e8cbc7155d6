import LiveTable
import TestSupport
import Testing

@testable import AnimationLab

@Suite struct LabTimelineTests {
    @Test func aStepBackShowsTheChangeSetTurnedRound() throws {
        try withSession(.small) { session in
            _ = try session.perform(.moveToGroup(.lab("k2"), by: 1))
            #expect(session.shown == "A: k1 k3 | B: k4 k2")
            #expect(try session.stepBack().text == ["move [1,1] -> [0,1] c/k2 (object, metadata)"])
            #expect(session.shown == "A: k1 k2 k3 | B: k4")
            #expect(session.lastMove?.isBackwards == true && session.lastMove?.problem == nil)
            #expect(session.position == 0 && session.steps.count == 1)
        }
    }

    @Test func aStepForwardIsTheSameChangeSetAgain() throws {
        try withSession(.random(seed: 5)) { session in
            for seed in 1...6 { _ = try session.perform(.storm(count: 9, seed: UInt64(seed))) }
            let outcomes = session.steps.map(\.advance.outcome)
            for _ in 1...6 { _ = try session.stepBack() }
            for _ in 1...6 { _ = try session.stepForward() }
            #expect(session.steps.map(\.advance.outcome) == outcomes)
            #expect(session.steps.count == 6 && session.position == 6)
        }
    }

    /// A long timeline of a long list: each step keeps only its changes.
    @Test func aStepKeepsNoRowsThatItDidNotChange() throws {
        var scenario = DatabaseScenario.small
        scenario.initial = (1...500).map { .row("k\($0)", "A", $0) }
        try withSession(scenario) { session in
            for number in 1...3 { _ = try session.perform(.delete(.lab("k\(number)"))) }
            var text = ""
            for step in session.steps { dump(step, to: &text) }
            #expect(text.contains("k3") && !text.contains("k4") && !text.contains("k499"))
        }
    }

    @Test func anEditInThePastReplacesWhatCameAfter() throws {
        try withSession(.small) { session in
            _ = try session.perform(.delete(.lab("k1")))
            _ = try session.perform(.delete(.lab("k2")))
            _ = try session.stepBack()
            _ = try session.perform(.delete(.lab("k3")))
            #expect(session.shown == "A: k2 | B: k4")
            #expect(session.steps.count == 2)
            #expect(throws: LabRefusal("This is the end of the timeline.")) { try session.stepForward() }
        }
    }

    /// A session used at random: its recording replays to the same change-sets, and undoing everything restores the
    /// beginning.
    @Test(arguments: Effort.some([UInt64](1...100)))
    func aRandomRunReplaysTheSameAndUndoesCompletely(seed: UInt64) throws {
        var beginning = DatabaseScenario.random(seed: seed)
        beginning.steps = []
        try withSession(beginning, seed: seed) { session in
            let first = (session.state, session.rows, try session.database.allRows())
            var random = SplitMix64(seed: seed)
            for _ in 0..<200 { try session.performAnything(&random) }
            try session.showAll()
            #expect(session.steps.allSatisfy { $0.flaw == nil })

            let result = try session.scenario.replayedInScratch()
            let steps = session.chapterSteps
            #expect(result.steps.map(\.outcome) == steps.map(\.advance.outcome), "\(session.scenario.json)")
            #expect(result.steps.map(\.after.hashValue) == steps.map(\.fingerprints.after))

            while session.position > 0 {
                _ = try session.stepBack()
                try #require(session.lastMove?.problem == nil, "seed \(seed), step \(session.position)")
            }
            #expect(session.state == first.0 && session.rows == first.1)
            #expect(try session.database.allRows() == first.2)
        }
    }
}

extension LabSession {
    /// Performs an edit, a setting or a change of the commit mode.
    fileprivate func performAnything(_ random: inout SplitMix64) throws {
        do {
            switch random.below(100) {
            case ..<6: isCollecting.toggle()
            case ..<12: isHolding.toggle()
            case ..<20: _ = try collected.isEmpty ? jump() : commit()
            case ..<24: _ = try undo()
            case ..<30: _ = try configure([.random(using: &random)])
            case ..<31: _ = try regroup(.random(using: &random))
            default: _ = try perform(anyEdit(&random))
            }
        } catch is LabRefusal {
            // A user would see a message; the run continues with another action.
        }
    }

    fileprivate func showAll() throws {
        isHolding = false
        if !collected.isEmpty { _ = try commit() }
        if !held.isEmpty { _ = try jump() }
    }

    private func anyEdit(_ random: inout SplitMix64) -> LabEdit {
        let all = rows.contents.keys.sorted { $0.description < $1.description }
        guard let key = all.randomElement(using: &random) else { return .insertAtRandom }
        return random.pick([
            .insertBefore(key), .insertAfter(key), .insertAtRandom, .insertAtRandom, .delete(key), .moveUp(key),
            .moveDown(key), .moveToGroup(key, by: 1), .moveToGroup(key, by: -1), .changeText(key), .touch(key),
            .changeMetadata(key), random.percent(5) ? .deleteAll : .storm(count: 5, seed: random.next()),
        ])
    }
}
