import YapDatabase
import Testing

@testable import ChangeScenarios

@Suite struct StepFlawTests {
    private let scenario = DatabaseScenario(
        mappings: DatabaseScenario.small.mappings, initial: DatabaseScenario.small.initial,
        steps: [.init(commits: [[.row("k2", "A", 40), .touch(.lab("k4"))]])])

    @Test func ourChangeSetsHaveNone() throws {
        #expect(try flaw { _ in } == nil)
    }

    @Test func aRowThatIsNotMovedIsSeen() throws {
        let flaw = try flaw { $0.rowChanges.removeAll { $0.type == .move } }
        #expect(flaw == Flaw(kind: .rows, text: "it puts k2 at [0,1] instead of k3"))
    }

    @Test func anUpdateThatIsNotReportedIsSeen() throws {
        let flaw = try flaw { $0.rowChanges.removeAll { $0.type == .update } }
        #expect(flaw == Flaw(kind: .unreported, text: "it does not report k4"))
    }

    @Test func aPathThatIsNotThereIsSeen() throws {
        #expect(try flaw { $0.rowChanges[0].before = RowPath(section: 7, row: 0) }?.kind == .misfit)
    }

    /// Returns the law's flaw of a damaged change-set.
    private func flaw(_ damage: (inout ChangeSet) -> Void) throws -> Flaw? {
        let result = try scenario.replayedInScratch()
        let step = result.steps[0]
        var changes: ChangeSet = step.outcome.changeSet
        damage(&changes)
        let damaged = DatabaseResult.Step(
            before: nil, after: step.after, notifications: 1, hasChanges: true, outcome: .changes(changes))
        return damaged.flaws(from: result.initial, named: step.log.rows).first
    }
}
