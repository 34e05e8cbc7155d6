import Foundation
import LiveTable

/// The result of a database scenario.
struct DatabaseResult: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        /// The state after reconfiguring; nil without reconfiguring.
        let before: ListState?
        let after: ListState
        let notifications: Int
        /// Whether the view changed at all, also in rows that are not shown.
        let hasChanges: Bool
        let outcome: YapDatabaseViewOutcome
        /// The edits of the view from which the outcome was computed.
        var log: [RawOperation] = []
    }

    let initial: ListState
    let steps: [Step]
}

extension DatabaseScenario {
    /// Runs the scenario on a new database file, which is closed but not removed.
    func replayed(at url: URL) throws -> DatabaseResult {
        let database = try LabDatabase(url: url, isPersistent: isPersistent)
        let result = Result { try replayed(on: database) }
        try database.close()
        return try result.get()
    }

    private func replayed(on database: LabDatabase) throws -> DatabaseResult {
        try database.commit(initial)
        let list = try LabList(mappings, of: database)
        let state = try list.state()
        return DatabaseResult(initial: state, steps: try steps.map { try $0.replayed(on: database, list) })
    }
}

extension DatabaseScenario.Step {
    fileprivate func replayed(on database: LabDatabase, _ list: LabList) throws -> DatabaseResult.Step {
        var before: ListState?
        if let reconfigure {
            list.reconfigure(reconfigure)
            before = try list.state()
        }
        for operations in commits { try database.commit(operations) }
        let advance = try list.advance()
        return DatabaseResult.Step(
            before: before, after: try list.state(), notifications: advance.notifications,
            hasChanges: advance.hasChanges, outcome: advance.outcome, log: advance.log)
    }
}

extension DatabaseResult {
    var json: JSON { ["initial": initial.json, "steps": .array(steps.map(\.json))] }
}

extension DatabaseResult.Step {
    var json: JSON {
        .object(
            (before.map { [JSON.Member("before", $0.json)] } ?? []) + after.members + outcome.changeMembers + [
                JSON.Member("hasChanges", hasChanges.json), JSON.Member("notifications", notifications.json),
                JSON.Member("outcome", outcome.json),
            ])
    }
}
