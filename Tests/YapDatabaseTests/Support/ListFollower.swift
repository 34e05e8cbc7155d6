import ListChanges
import Testing

@testable import YapDatabase

/// Follows a list and checks the law: each change-set leads from the rows before to the rows after.
final class ListFollower {
    let coordinator: YapDatabaseViewCoordinator
    let mappings: YapDatabaseViewMappings
    private(set) var rows: ListSnapshot
    private(set) var reloads = 0
    private(set) var changes = 0

    init(_ database: YapDatabase, view: String, groups: [String]) throws {
        coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
        mappings = YapDatabaseViewMappings(groups: groups, view: view)
        try coordinator.follow(mappings)
        rows = try coordinator.rows(mappings)
    }

    /// Jumps to the newest commit; nil where nothing changed or only a reload tells.
    @discardableResult
    func advance(_ context: Comment? = nil) throws -> ChangeSet? {
        let outcome = try coordinator.advance()[0].outcome
        let after = try coordinator.rows(mappings)
        defer { rows = after }
        switch outcome {
        case .none: #expect(rows == after, context)
        case .reload: reloads += 1
        case .changes(let set):
            changes += 1
            #expect(try set.applying(to: rows, inserted: { after[$0] }) == after, context)
            return set
        }
        return nil
    }
}
