import ChangeScenarios
import YapDatabase

extension DatabaseScenario {
    /// Two groups, `A` with k1 to k3 and `B` with k4.
    package static let small = DatabaseScenario(
        mappings: MappingsSetup(groups: .list(["A", "B"])),
        initial: [.row("k1", "A", 10), .row("k2", "A", 20), .row("k3", "A", 30), .row("k4", "B", 10)], steps: [])

    package func replayedInScratch() throws -> DatabaseResult {
        try withScratchFolder { folder in try folder.withDatabaseURL { try replayed(at: $0) } }
    }
}

extension RowOperation {
    package static func row(_ key: String, _ group: String?, _ sort: Int, _ text: String = "t") -> RowOperation {
        .set(.lab(key), LabRow(group: group, sort: sort, text: text), metadata: nil)
    }
}

extension Outcome {
    /// One line for each change, sorted: a change-set is a set.
    package var text: [String] {
        self == .reload ? ["reload"] : changeSet.description.split(separator: "\n").map(String.init).sorted()
    }
}
