import FileEngine
import Foundation
import ListChanges

extension BrowsedFile {
    /// The way to the newest state. To be prepared in the background, then taken with ``advance(_:lists:)``.
    /// - Parameter lists: each with the rowids that are on the screen now, whose changes of content are to be told; nil where
    ///   only the new state is wanted.
    package func step(lists: [(list: BrowsedList, reach: [Int64]?)] = []) -> FileStep {
        FileStep(
            from: snapshot, isTruncated: isTruncated,
            lists: lists.map { FileStep.FollowedList(content: $0.list.content, reach: $0.reach) })
    }

    /// Looks at a newer state from now on, and so do these lists, the same as in the step.
    /// - Returns: for each list how its table gets there. `.reload` where the difference is not known exactly; rows keep
    ///   their keys.
    package func advance(_ advance: FileAdvance, lists: [BrowsedList]) -> [Outcome] {
        precondition(lists.count == advance.lists.count, "The lists are not those that the step was prepared for.")
        snapshot = advance.snapshot
        return zip(lists, advance.lists).map { $0.advance($1) }
    }

    /// Runs a read, again in the next state where another program replaces the present one meanwhile: without a log no lock holds it.
    ///
    /// - Parameter body: reads the present state. It must not leave anything behind if it throws.
    /// - Throws: what the body throws, and lasting damage; after some ten seconds of constant changes, that the state is gone.
    package func readingAgain<Value>(_ body: () throws -> Value) throws -> Value {
        var (attempts, pause, tolerance) = (0, Self.shortestPause, RewriteTolerance())
        while true {
            do {
                if attempts > 0, let next = try step().prepare() { _ = advance(next, lists: []) }
                return try body()
            } catch let error as YapDatabaseError
                where attempts < Self.attemptLimit && tolerance.isPassing(error, of: path)
            {
                Thread.sleep(forTimeInterval: pause)
                (attempts, pause) = (attempts + 1, min(2 * pause, Self.longestPause))
            }
        }
    }

    private static let attemptLimit = 15
    /// Seconds.
    private static let (shortestPause, longestPause) = (0.02, 1.0)
}

extension BrowsedList {
    /// Shows a newer state.
    /// - Returns: how a table gets there. `.reload` also where this list was told other counts meanwhile than those that
    ///   the difference begins with.
    func advance(_ advance: ListAdvance) -> Outcome {
        replace(advance.content)
        if let log = advance.log,
            let (after, outcome) = try? mappings.advanced(
                by: OperationLog(log), groups: content.groups, counts: content.counts)
        {
            mappings = after
            return outcome
        }
        refresh()
        return .reload
    }
}
