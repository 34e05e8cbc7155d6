import Testing
import YapDatabase

/// Follows a list and checks the law: each change-set leads from the rows before to the rows after.
public final class ListFollower {
    public let coordinator: YapDatabaseViewCoordinator
    public let mappings: YapDatabaseViewMappings
    public private(set) var rows: ListSnapshot
    public private(set) var reloads = 0
    public private(set) var changes = 0

    public init(_ database: YapDatabase, view: String, groups: [String]) throws {
        coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
        mappings = YapDatabaseViewMappings(groups: groups, view: view)
        try coordinator.follow(mappings)
        rows = try coordinator.rows(mappings)
    }

    /// Shows only the last rows of a group.
    public func show(last count: Int, ofGroup group: String) throws {
        mappings.setRangeOptions(.fixedRange(withLength: count, offset: 0, from: .end), forGroup: group)
        rows = try coordinator.rows(mappings)
    }

    /// Jumps to the newest commit; nil where nothing changed or only a reload tells.
    @discardableResult
    public func advance(_ context: Comment? = nil) throws -> ChangeSet? {
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

extension YapDatabaseViewCoordinator {
    /// The keys that mappings show; none while the view is being restored.
    public func rows(_ mappings: YapDatabaseViewMappings) throws -> ListSnapshot {
        try connection.read { transaction in
            guard let view = transaction.ext(mappings.view) as? YapDatabaseViewTransaction else {
                return try ListSnapshot(mappings.value) { _, _ in try #require(nil) }
            }
            return try ListSnapshot(mappings.value) { try #require(try view.rowKey(at: $1, inGroup: $0)) }
        }
    }
}
