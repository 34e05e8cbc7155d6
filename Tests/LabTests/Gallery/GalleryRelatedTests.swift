import ListChanges
import Testing

@testable import AnimationLab

/// Lists over related rows show what their texts say.
@Suite struct GalleryRelatedTests {
    @Test func aMessageMovesItsRoom() throws {
        let steps = try comparisons("inbox")
        #expect(
            rows(steps) == [
                "work tea music", "work tea music", "books work tea music", "books tea music work", "books tea work",
            ])
        #expect(steps[0].ours.changes.rowChanges.map(\.type) == [.move])
        #expect(steps[1].ours.changes.rowChanges.map(\.type) == [.update])
    }

    @Test func aRenamedPersonMovesTheRowsThatNameIt() throws {
        let steps = try comparisons("board")
        #expect(
            rows(steps) == [
                "paint print draw | cook", "paint print draw | cook bake", "print | draw paint cook bake",
                " | draw paint cook bake",
            ])
        #expect(steps[0].ours.changes.rowChanges.map { $0.key?.scenarioName } == ["paint", "print"])
    }

    @Test func aRowStandsInEachOfItsTags() throws {
        let steps = try comparisons("tags")
        #expect(
            rows(steps) == [
                "Emma Dune Ubik | Dune | Cosmos Dune Ubik", "Emma Ubik | Dune | Cosmos Dune Ubik",
                "Emma Ubik | Dune | Cosmos Dune Ubik", "Emma Ubik | Dune | Dune Ubik Cosmos",
                "Emma Ubik | Ubik Cosmos",
            ])
        #expect(Set(steps[1].ours.changes.rowChanges.map(\.type)) == [.delete, .update])
    }

    @Test func rowsMoveWhenTheMomentComesAndWhenTheClockIsSetBack() throws {
        let steps = try comparisons("agenda")
        #expect(rows(steps) == ["lunch opera | bank", "lunch opera | bank | fair", "fair |  | ", "lunch opera | bank"])
        #expect(steps[0].ours.changes.rowChanges.map(\.type) == [.update])
    }

    @Test func messagesAndPeopleChangeTheRoster() throws {
        let steps = try comparisons("chat-roster")
        #expect(
            rows(steps) == [
                "Alice Bob | Carol", "Alice | Bob | Carol", "Dan Alice | Bob | Carol", "Carol Dan | Bob | Alice",
                "Carol Dan | Alice",
            ])
        #expect(steps[1].ours.changes.rowChanges.map { $0.key?.scenarioName } == ["Bob"])
    }

    /// Its rows are none that a key could edit, and the timeline goes both ways.
    @MainActor @Test func theRowsCannotBeEditedAndTheTimelineCanBeWalked() throws {
        for entry in Gallery.entries where !entry.scenario.list.isEmpty {
            try withSession(entry.scenario) { session in
                let start = session.shown
                for step in entry.scenario.steps { _ = try session.perform(step) }
                #expect(throws: LabRefusal.self) { try session.perform(.insertAtRandom) }
                let end = session.shown
                while session.position > 0 { _ = try session.stepBack() }
                #expect(session.shown == start, "\(entry.name)")
                while session.position < session.steps.count { _ = try session.stepForward() }
                #expect(session.shown == end, "\(entry.name)")
                #expect(session.steps.allSatisfy { $0.flaw == nil }, "\(entry.name)")
            }
        }
    }

    private func comparisons(_ name: String) throws -> [Comparison] {
        let entry = try #require(Gallery.entry(named: name))
        return try withScratchFolder { try entry.comparisons(in: $0) }
    }

    /// The rows after each step: `k1 k2 | k3`.
    private func rows(_ steps: [Comparison]) -> [String] {
        steps.map { step in
            step.after.shown.sections.map { $0.rows.map(\.scenarioName).joined(separator: " ") }
                .joined(separator: " | ")
        }
    }
}
