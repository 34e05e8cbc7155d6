import LiveTable
import Testing

@testable import AnimationLab

@Suite struct LabGroupsTests {
    @Test func aGroupIsTakenOutOfTheListAndAddedAgain() throws {
        try withSession(.small) { session in
            let outcome = try session.regroup(.list(["B"]))
            #expect(session.shown == "B: k4" && outcome.changeSet.sectionChanges.count == 1)
            #expect(session.knownGroups == ["B", "A"])
            _ = try session.regroup(.list(["B", "D"]))
            #expect(session.shown == "B: k4 | D:")
            _ = try session.undo()
            _ = try session.undo()
            #expect(session.shown == "A: k1 k2 k3 | B: k4" && session.position == 0)
            #expect(session.lastMove?.problem == nil)
            _ = try session.stepForward()
            #expect(session.shown == "B: k4")
        }
    }

    @Test func anotherOrderIsAReloadBothWays() throws {
        try withSession(.small) { session in
            let there = try session.regroup(.list(["B", "A"]))
            #expect(there == .reload)
            #expect(session.shown == "B: k4 | A: k1 k2 k3" && session.lastMove?.problem == nil)
            let back = try session.stepBack()
            #expect(back == .reload)
            #expect(session.shown == "A: k1 k2 k3 | B: k4")
        }
    }

    @Test func groupsOfTheViewAreFilteredAndSorted() throws {
        try withSession(.small) { session in
            _ = try session.regroup(.dynamic(filter: nil, order: .descending))
            #expect(session.shown == "B: k4 | A: k1 k2 k3")
            _ = try session.perform(.delete(.lab("k4")))
            #expect(session.shown == "A: k1 k2 k3" && session.lastMove?.problem == nil)
            _ = try session.regroup(.dynamic(filter: ["B"], order: .ascending))
            #expect(session.shown == "")
            _ = try session.stepBack()
            _ = try session.stepBack()
            #expect(session.shown == "B: k4 | A: k1 k2 k3")
        }
    }

    @Test func whatIsSetUpStaysAlsoForAGroupThatIsAway() throws {
        try withSession(.small) { session in
            let range = RangeSetup(kind: .fixed, length: 2, offset: 0, from: .beginning)
            _ = try session.configure([
                .reverse(true, group: "A"), .range(range, group: "A"), .dependencies([-1], group: "A"),
            ])
            _ = try session.configure([.dynamicSection(true, group: "B"), .dynamicSectionAll(true)])
            _ = try session.configure([.consolidate(threshold: 2, name: "all")])
            let before = session.state.mappings
            _ = try session.regroup(.list(["B"]))
            #expect(session.shown == "all: k4")
            _ = try session.regroup(.list(["A", "B"]))
            #expect(session.shown == "A: k3 k2 | B: k4")
            let after = session.state.mappings
            #expect(LabSettingValues(after) == LabSettingValues(before))
        }
    }

    @Test func aScenarioHoldsTheStepsWithOneChoiceOfGroups() throws {
        try withSession(.small) { session in
            _ = try session.perform(.delete(.lab("k1")))
            _ = try session.perform(.changeMetadata(.lab("k2")))
            _ = try session.regroup(.list(["B", "A"]))
            _ = try session.perform(.moveToGroup(.lab("k2"), by: -1))
            let scenario = session.scenario
            #expect(scenario.mappings.groups == .list(["B", "A"]) && scenario.steps.count == 1)
            let result = try scenario.replayedInScratch()
            #expect(result.steps.map(\.after.hashValue) == session.chapterSteps.map(\.fingerprints.after))
            #expect(result.steps.map(\.outcome) == session.chapterSteps.map(\.advance.outcome))
            _ = try session.stepBack()
            _ = try session.stepBack()
            #expect(session.scenario.mappings.groups == .list(["A", "B"]) && session.scenario.steps.count == 2)
        }
    }

    @Test func collectedEditsStayCollectedAndHeldCommitsGoFirst() throws {
        try withSession(.small) { session in
            session.isCollecting = true
            _ = try session.perform(.delete(.lab("k1")))
            _ = try session.regroup(.list(["A"]))
            #expect(session.shown == "A: k1 k2 k3" && session.collected.count == 1)
            #expect(session.chapter.initial.count == 4)
            session.isCollecting = false
            session.isHolding = true
            _ = try session.commit()
            #expect(throws: LabRefusal("Show the held commits first: mappings change between two jumps.")) {
                try session.regroup(.list(["B"]))
            }
            _ = try session.jump()
            #expect(session.shown == "A: k2 k3")
        }
    }
}

/// All settings, as text.
private struct LabSettingValues: Equatable {
    let values: [[String]]

    init(_ mappings: Mappings) {
        values = ["A", "B"].map { group in
            let settings = LabSettings(mappings: mappings, groups: .list(["A", "B"]), known: ["A", "B"], group: group)
            return settings.shown.map { "\($0.name): \(settings.value(of: $0))" }
        }
    }
}
