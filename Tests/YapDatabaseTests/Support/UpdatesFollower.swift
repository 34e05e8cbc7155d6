import ListChanges
import Testing
import YapDatabase

/// A loop that applies each change-set to the rows that it has.
actor UpdatesFollower<Row: Codable & Sendable & Equatable> {
    private(set) var sections: [ListSection<Row>]?

    var rows: [Row] { (sections ?? []).flatMap(\.rows) }
    var groups: [String: [Row]] {
        Dictionary(uniqueKeysWithValues: (sections ?? []).map { ($0.group, $0.rows) })
    }

    /// Follows until the task is cancelled.
    func follow(_ updates: YapUpdates<YapListUpdate<Row>>, _ name: Comment) async throws {
        for try await update in updates {
            guard var shown = sections else {
                sections = update.sections
                continue
            }
            guard case .changes(let changes) = update.outcome else {
                Issue.record("\(update.outcome), \(name)")
                return
            }
            try changes.apply(to: &shown) { update.sections[$0.section].rows[$0.row] }
            #expect(shown.map(\.rows) == update.sections.map(\.rows), name)
            sections = shown
        }
    }

    func waitForFirst() async {
        while sections == nil { await Task.yield() }
    }
}
