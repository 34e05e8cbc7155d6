import Foundation

extension Scenario {
    /// Returns the first flaw in a replay of the scenario; nil if there is none.
    package func flaw(in folder: ScratchFolder) -> Flaw? {
        do {
            switch self {
            case .log(let scenario): return try scenario.replayed().flaw(of: scenario)
            case .database(let scenario):
                return try folder.withDatabaseURL { try scenario.replayed(at: $0).flaws(of: scenario).first }
            }
        } catch {
            return Flaw(kind: .error, text: "\(error)")
        }
    }

    /// Returns the result of a replay as JSON.
    ///
    /// - Throws: the errors of the replay.
    package func answer(in folder: ScratchFolder) throws -> JSON {
        switch self {
        case .log(let scenario): try scenario.replayed().json
        case .database(let scenario): try folder.withDatabaseURL { try scenario.replayed(at: $0).json }
        }
    }
}
