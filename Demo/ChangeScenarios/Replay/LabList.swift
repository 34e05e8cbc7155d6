import Foundation
import YapDatabase

/// The list of a scenario: the reader of a lab database, and mappings that follow it.
package struct LabList {
    /// A jump to the newest snapshot: its notifications, and the outcome for the list.
    package struct Advance {
        package let notifications: Int
        /// Whether the view changed at all, also in rows that are not shown.
        package let hasChanges: Bool
        package let log: [RawOperation]
        package let outcome: Outcome
        /// The snapshots before and after the jump.
        package let snapshots: (before: Int, after: Int)
        package let jumpTime: Duration
        package let changesTime: Duration

        package init(
            notifications: Int, hasChanges: Bool, log: [RawOperation], outcome: Outcome,
            snapshots: (before: Int, after: Int), jumpTime: Duration, changesTime: Duration
        ) {
            self.notifications = notifications
            self.hasChanges = hasChanges
            self.log = log
            self.outcome = outcome
            self.snapshots = snapshots
            self.jumpTime = jumpTime
            self.changesTime = changesTime
        }
    }

    package let mappings: YapDatabaseViewMappings
    private let database: LabDatabase

    /// Begins at the newest snapshot, or where the reader is.
    package init(_ setup: MappingsSetup, of database: LabDatabase, jumps: Bool = true) throws {
        self.database = database
        mappings = YapDatabaseViewMappings(setup.groups, view: database.viewName)
        if jumps { try database.jump() }
        if setup.configAfterUpdate { try update() }
        reconfigure(setup.config)
        if !setup.configAfterUpdate { try update() }
    }

    package func reconfigure(_ calls: [MappingsCall]) {
        mappings.value.perform(calls)
    }

    /// Returns the present state of the list.
    package func state() throws -> ListState {
        try database.reader.read { transaction in
            guard let view = transaction.ext(database.viewName) as? YapDatabaseViewTransaction else {
                throw missingView
            }
            let shown = try ListSnapshot(mappings.value) { group, index in
                guard let key = try view.rowKey(at: index, inGroup: group) else {
                    throw MissingKeyError(group: group, index: index)
                }
                return key
            }
            return ListState(mappings: mappings.value, shown: shown)
        }
    }

    /// Another program may leave any state in the file, including one with an outdated view.
    private var missingView: YapDatabaseError {
        YapDatabaseError(
            .badExtension,
            "Another program changed the file in a way that the view \"\(database.viewName)\" does not follow. It is made again with "
                + "the next edit.")
    }

    /// Jumps to the newest snapshot.
    package func advance() throws -> Advance {
        let before = database.reader.snapshot
        let start = ContinuousClock.now
        let commits = try database.jump()
        let jumped = ContinuousClock.now
        guard let view = database.reader.ext(database.viewName) as? YapDatabaseViewConnection else {
            throw missingView
        }
        let outcome = try view.outcome(for: commits, with: mappings)
        let end = ContinuousClock.now
        return Advance(
            notifications: commits.count, hasChanges: view.hasChanges(for: commits),
            log: view.rawOperations(for: commits), outcome: outcome,
            snapshots: (before, database.reader.snapshot), jumpTime: jumped - start, changesTime: end - jumped)
    }

    /// Jumps to the newest snapshot, which has the rows of an earlier one, and restores the mappings of that one.
    package func retreat(to earlier: Mappings) throws {
        try database.jump()
        try database.reader.read { mappings.restore(earlier, with: $0) }
    }

    private func update() throws {
        try database.reader.read { try mappings.update(with: $0) }
    }

    private struct MissingKeyError: Error, CustomStringConvertible {
        let group: String
        let index: Int

        var description: String {
            "The mappings count a row \(index) in group \"\(group)\" that the view does not have."
        }
    }
}

extension YapDatabaseViewMappings {
    fileprivate convenience init(_ groups: MappingsSetup.Groups, view: String) {
        switch groups {
        case .list(let names): self.init(groups: names, view: view)
        case .dynamic(let filter, let order):
            self.init(
                groupFilterBlock: { group, _ in filter?.contains(group) ?? true },
                sortBlock: { group1, group2, _ in
                    if group1 == group2 { return .orderedSame }
                    return (group1 < group2) == (order == .ascending) ? .orderedAscending : .orderedDescending
                },
                view: view)
        }
    }
}
