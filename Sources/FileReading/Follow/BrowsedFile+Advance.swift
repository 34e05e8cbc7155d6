import ListChanges
import FileEngine

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
