import Testing

@testable import YapDatabase
@testable import YapDatabaseServer

/// Follows a list and checks the law: each change-set leads from the rows before to the rows after.
final class ListFollower {
    private let coordinator: YapDatabaseViewCoordinator
    private let mappings: YapDatabaseViewMappings
    private(set) var rows: ListSnapshot
    private(set) var reloads = 0
    private(set) var changes = 0

    init(_ database: YapDatabase, view: String, groups: [String]) throws {
        coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
        mappings = YapDatabaseViewMappings(groups: groups, view: view)
        try coordinator.follow(mappings)
        rows = try Self.rows(coordinator, mappings)
    }

    /// Jumps to the newest commit.
    func advance(_ context: Comment? = nil) throws {
        let outcome = try coordinator.advance()[0].outcome
        let after = try Self.rows(coordinator, mappings)
        defer { rows = after }
        switch outcome {
        case .none: #expect(rows == after, context)
        case .reload: reloads += 1
        case .changes(let set):
            changes += 1
            #expect(try set.applying(to: rows, inserted: { after[$0] }) == after, context)
        }
    }

    private static func rows(
        _ coordinator: YapDatabaseViewCoordinator, _ mappings: YapDatabaseViewMappings
    ) throws -> ListSnapshot {
        try coordinator.connection.read { transaction in
            let view = try #require(transaction.ext(mappings.view) as? YapDatabaseViewTransaction)
            return try ListSnapshot(mappings.value) { try #require(try view.rowKey(at: $1, inGroup: $0)) }
        }
    }
}
