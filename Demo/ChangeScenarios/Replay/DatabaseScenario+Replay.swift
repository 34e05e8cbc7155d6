import Foundation
import YapDatabase

/// The result of a database scenario.
package struct DatabaseResult: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        /// The state after reconfiguring; nil without reconfiguring.
        package let before: ListState?
        package let after: ListState
        package let notifications: Int
        /// Whether the view changed at all, also in rows that are not shown.
        package let hasChanges: Bool
        package let outcome: Outcome
        /// The edits of the view from which the outcome was computed.
        package var log: [RawOperation] = []

        package init(
            before: ListState?, after: ListState, notifications: Int, hasChanges: Bool, outcome: Outcome,
            log: [RawOperation] = []
        ) {
            self.before = before
            self.after = after
            self.notifications = notifications
            self.hasChanges = hasChanges
            self.outcome = outcome
            self.log = log
        }
    }

    package let initial: ListState
    package let steps: [Step]

    package init(initial: ListState, steps: [Step]) {
        self.initial = initial
        self.steps = steps
    }
}

extension DatabaseScenario {
    /// Runs the scenario on a new database file, which is closed but not removed.
    package func replayed(at url: URL) throws -> DatabaseResult {
        let database = try LabDatabase(url: url, for: self)
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
    package var json: JSON { ["initial": initial.json, "steps": .array(steps.map(\.json))] }
}

extension DatabaseResult.Step {
    package var json: JSON {
        .object(
            (before.map { [JSON.Member("before", $0.json)] } ?? []) + after.members + outcome.changeMembers + [
                JSON.Member("hasChanges", hasChanges.json), JSON.Member("notifications", notifications.json),
                JSON.Member("outcome", outcome.json),
            ])
    }
}
