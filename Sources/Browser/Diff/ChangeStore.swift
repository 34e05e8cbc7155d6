import FileReading
import FileEngine

/// The differences of two files, as far as they are found. A thread compares, the screen reads what there is.
final class ChangeStore: Sendable {
    /// The most changes that are kept; of files that differ in more, the counts are right and the first are listed.
    static let maxChanges = 1_000_000

    struct Progress: Hashable, Sendable {
        /// The rows that were compared.
        var compared = 0
        /// The changes that were found, by kind, listed or not.
        var counts: [ChangeKind: Int] = [:]
        /// The rows without a difference; known at the end.
        var equal: Int?
        var isOver = false
        /// What was not compared, in sentences.
        var notes: [String] = []

        var found: Int { counts.values.reduce(0, +) }
    }

    private struct State: Sendable {
        var changes: [FileChange] = []
        var progress = Progress()
        var isCancelled = false
    }

    private let state = Locked(State())
    private struct Cancelled: Error {}

    /// The number of changes that are listed.
    var count: Int { state.withLock { $0.changes.count } }
    subscript(index: Int) -> FileChange { state.withLock { $0.changes[index] } }
    subscript(range: Range<Int>) -> [FileChange] { state.withLock { Array($0.changes[range]) } }
    var progress: Progress { state.withLock { $0.progress } }

    /// Ends the comparison soon. What was found stays.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Compares to the end, or until ``cancel()``, on the calling thread.
    func compare(_ reader: ChangeReader, withViews: Bool) throws {
        var comparison = FileComparison(reader.first, reader.second)
        defer { state.withLock { $0.progress.isOver = true } }
        do {
            try comparison.run(withViews: withViews) { rows in
                try update { $0.progress.compared = rows }
            } _: { difference in
                try add(difference)
            }
        } catch is Cancelled {
            return
        }
        let (counts, notes) = (comparison.counts, comparison.notes)
        state.withLock { state in
            state.progress.equal = counts.equal
            state.progress.compared = counts.equal + counts.inserted + counts.deleted + counts.updated
            state.progress.notes = notes
        }
    }

    private func add(_ difference: FileDifference) throws {
        guard let change = FileChange(difference) else { return }
        try update { state in
            state.progress.counts[change.kind, default: 0] += 1
            if state.changes.count < Self.maxChanges { state.changes.append(change) }
        }
    }

    private func update(_ change: (inout State) -> Void) throws {
        let isCancelled = state.withLock { state in
            change(&state)
            return state.isCancelled
        }
        if isCancelled { throw Cancelled() }
    }
}
