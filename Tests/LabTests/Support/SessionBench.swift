import Foundation
import LiveTable

@testable import AnimationLab

/// Runs the body with a session on a database and removes it afterwards.
func withSession<Value>(
    _ scenario: DatabaseScenario, seed: UInt64 = 1, _ body: (LabSession) throws -> Value
) throws -> Value {
    try withScratchFolder { folder in
        try folder.withDatabaseURL { url in
            let database = try LabDatabase(url: url, isPersistent: scenario.isPersistent)
            let session = try LabSession(scenario, on: database, seed: seed)
            let result = Result { try body(session) }
            try database.close()
            return try result.get()
        }
    }
}

extension DatabaseScenario {
    /// Two groups, `A` with k1 to k3 and `B` with k4.
    static let small = DatabaseScenario(
        mappings: MappingsSetup(groups: .list(["A", "B"])),
        initial: [.row("k1", "A", 10), .row("k2", "A", 20), .row("k3", "A", 30), .row("k4", "B", 10)], steps: [])

    func replayedInScratch() throws -> DatabaseResult {
        try withScratchFolder { folder in try folder.withDatabaseURL { try replayed(at: $0) } }
    }
}

extension RowOperation {
    static func row(_ key: String, _ group: String?, _ sort: Int, _ text: String = "t") -> RowOperation {
        .set(.lab(key), LabRow(group: group, sort: sort, text: text), metadata: nil)
    }
}

extension LabSession {
    /// The content of the list, as `A: k1 k2 | B: k4`.
    var shown: String {
        state.shown.sections.map { section in
            ([section.group + ":"] + section.rows.map(\.scenarioName)).joined(separator: " ")
        }.joined(separator: " | ")
    }
}

extension YapDatabaseViewOutcome {
    /// One line for each change, sorted: a change-set is a set.
    var text: [String] {
        self == .reload ? ["reload"] : changeSet.description.split(separator: "\n").map(String.init).sorted()
    }
}
