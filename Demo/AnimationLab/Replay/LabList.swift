import Foundation
import LiveTable

/// The list of a scenario: the reader of a lab database, and mappings that follow it.
struct LabList {
    private let database: LabDatabase
    private var mappings: YapDatabaseViewMappings

    /// Begins to look at the newest snapshot.
    init(_ setup: MappingsSetup, of database: LabDatabase) throws {
        self.database = database
        mappings = YapDatabaseViewMappings(setup.groups, view: LabDatabase.viewName)
        try database.jump()
        if setup.configAfterUpdate { try update() }
        mappings.perform(setup.config)
        if !setup.configAfterUpdate { try update() }
    }

    mutating func reconfigure(_ calls: [MappingsCall]) { mappings.perform(calls) }

    /// What the list says and shows now.
    func state() throws -> ListState {
        try database.reader.read { transaction in
            guard let view = transaction.ext(LabDatabase.viewName) as? YapDatabaseViewTransaction else {
                preconditionFailure("A lab database has its view from the beginning.")
            }
            let shown = try ListSnapshot(mappings.value) { group, index in
                guard let key = try view.rowKey(at: index, inGroup: group) else {
                    throw MissingRow(group: group, index: index)
                }
                return key
            }
            return ListState(mappings: mappings.value, shown: shown)
        }
    }

    /// Jumps to the newest snapshot.
    func advance() throws -> (notifications: Int, hasChanges: Bool, outcome: YapDatabaseViewOutcome) {
        let notifications = try database.jump()
        guard let view = database.reader.ext(LabDatabase.viewName) as? YapDatabaseViewConnection else {
            preconditionFailure("A lab database has its view from the beginning.")
        }
        let outcome = try view.outcome(forNotifications: notifications, withMappings: mappings)
        return (notifications.count, view.hasChanges(for: notifications), outcome)
    }

    private func update() throws {
        try database.reader.read { try mappings.update(with: $0) }
    }

    private struct MissingRow: Error, CustomStringConvertible {
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
