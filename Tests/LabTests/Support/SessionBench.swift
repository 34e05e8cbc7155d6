import Foundation
import LiveTable

@testable import AnimationLab

/// Runs the body with a session on a database and removes it afterwards.
func withSession<Value>(
    _ scenario: DatabaseScenario, seed: UInt64 = 1, _ body: (LabSession) throws -> Value
) throws -> Value {
    try withScratchFolder { folder in
        try folder.withDatabaseURL { url in
            let database = try LabDatabase(url: url, for: scenario)
            let session = try LabSession(scenario, on: database, seed: seed)
            let result = Result { try body(session) }
            try database.close()
            return try result.get()
        }
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
