import ListChanges
import Testing

@testable import AnimationLab

@Suite struct ChangeSetReadingTests {
    @Test func whatAResultSaysIsReadBack() throws {
        try withScratchFolder { folder in
            for seed in 1...30 as ClosedRange<UInt64> {
                let scenario = DatabaseScenario.random(seed: seed)
                let result = try folder.withDatabaseURL { try scenario.replayed(at: $0) }
                for step in result.steps {
                    let changes: ChangeSet = step.outcome.changeSet
                    let read = try ChangeSet(json: step.json)
                    #expect(read.sectionChanges == changes.sectionChanges, "seed \(seed)")
                    // A result does not contain the group in which an update ends.
                    let said = changes.rowChanges.map { change in
                        var copy = change
                        if change.type == .update { copy.finalGroup = nil }
                        return copy
                    }
                    #expect(read.rowChanges == said, "seed \(seed)")
                }
            }
        }
    }

    @Test func aNegativePositionIsAStringInTheVectors() throws {
        let changes = try ChangeSet(
            json: JSON(
                text: """
                    {"sectionChanges": [], "rowChanges": [{"type": "delete", "key": null, "changes": ["object"],
                      "indexPath": [0, "-1"], "originalGroup": "A"}]}
                    """))
        #expect(changes.rowChanges.first?.before == RowPath(section: 0, row: -1))
    }

    @Test(arguments: [
        #"{"sectionChanges": []}"#, #"{"sectionChanges": [], "rowChanges": [{"type": "swap", "changes": []}]}"#,
        #"{"sectionChanges": [], "rowChanges": [{"type": "delete", "changes": [], "indexPath": [0]}]}"#,
        #"{"sectionChanges": [], "rowChanges": [{"type": "delete", "changes": [], "indexPath": [0, "x"]}]}"#,
    ])
    func whatIsNoChangeSetIsRefused(text: String) throws {
        let json = try JSON(text: text)
        #expect(throws: ScenarioError.self) { try ChangeSet(json: json) }
    }
}
