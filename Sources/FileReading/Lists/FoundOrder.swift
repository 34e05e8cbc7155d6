import FileEngine
import ListChanges

/// The rows that a search has found so far, in the order in which they were found.
package final class FoundOrder: RowSource {
    private let state = Locked(State())

    private struct State: Sendable {
        var rowids = PackedRowids()
        var isComplete = false
    }

    package init() {}

    package var count: RowCount { state.withLock { RowCount($0.rowids.count, isComplete: $0.isComplete) } }

    package func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64] {
        state.withLock { $0.rowids[places] }
    }
    package func place(of rowid: Int64, _ store: Store) throws -> Int? { state.withLock { $0.rowids.place(of: rowid) } }

    package func append(_ rowids: [Int64]) {
        state.withLock { state in
            for rowid in rowids { state.rowids.append(rowid) }
        }
    }

    /// Marks the search as finished.
    package func end() { state.withLock { $0.isComplete = true } }
}

extension ListContent {
    /// Returns the list with only the rows found in each group; their number grows as more are found.
    package func showing(_ found: ExactDictionary<FoundOrder>) -> ListContent {
        ListContent(self, showing: found.mapValues { $0 })
    }

    /// Makes a list that shows a part of another.
    init(_ whole: ListContent, showing sources: ExactDictionary<any RowSource>) {
        subject = whole.subject
        snapshot = whole.snapshot
        groups = whole.groups
        self.sources = sources
        damage = whole.damage
        ordinals = whole.ordinals
    }
}
