import Foundation

extension Scenario {
    /// The first thing that goes wrong when the scenario is replayed; nil if nothing does.
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

    /// The result of a replay, as JSON.
    ///
    /// - Throws: what the replay throws.
    package func answer(in folder: ScratchFolder) throws -> JSON {
        switch self {
        case .log(let scenario): try scenario.replayed().json
        case .database(let scenario): try folder.withDatabaseURL { try scenario.replayed(at: $0).json }
        }
    }
}
