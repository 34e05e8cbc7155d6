import Foundation
import ListChanges
import FileEngine

/// The way of a file and its lists from one state to the newest, to be worked out in the background.
package struct FileStep: Sendable {
    struct FollowedList: Sendable {
        var content: ListContent
        /// Nil where it does not matter how the list gets to the newer state.
        var reach: [Int64]?
    }

    /// Rows whose content is compared, many more than any screen has lines.
    package static let reachLimit = 20_000

    let from: FileSnapshot
    let isTruncated: Bool
    let lists: [FollowedList]

    /// Seconds in which nothing is held while the log is long, at most.
    private static let longestPause = 0.3

    /// Opens the newest state and finds the exact difference of each list, whose rows are counted afterwards. Takes as long
    /// as the lists are: up to a second.
    /// - Returns: nil when nothing was written.
    /// - Throws: ``YapDatabaseError`` when the file cannot be read as it is now.
    package func prepare() throws -> FileAdvance? {
        if from.isNewest { return nil }
        // Where there are no locks to hold a state, closing it later would take those of the new one away.
        if from.mark.hold == .nothing { from.close() }
        if from.isInLongLog {
            from.loosen()
            pauseForWriter()
        }
        let snapshot = try FileSnapshot.newest(from.path, isTruncated: isTruncated)
        let catalog = try snapshot.catalog()
        let changes = LogChanges(from: from, to: snapshot)
        return FileAdvance(
            snapshot: snapshot, catalog: catalog, touched: changes.rows,
            lists: try lists.map { try ListAdvance($0.content, reach: $0.reach, changes, to: snapshot, catalog) })
    }

    /// Waits until all of the log is in the file, so that whoever begins to read reads the file alone, or until the program
    /// that writes has begun it from its beginning. Both it does with its next commits.
    private func pauseForWriter() {
        guard let start = from.newestLog else { return }
        let end = ContinuousClock.now + .seconds(Self.longestPause)
        while ContinuousClock.now < end {
            // Nil while the program is committing.
            let now = from.newestLog ?? start
            if now.salt != start.salt || now.change &- start.change >= 3 || from.isLogCopied { return }
            usleep(2_000)
        }
    }
}

/// A newer state of a file, ready to be shown.
package struct FileAdvance: Sendable {
    package let snapshot: FileSnapshot
    package let catalog: Catalog
    /// The rows that may have changed on the way.
    package let touched: TouchedRows
    let lists: [ListAdvance]
}

/// A list at a newer state, and what happened to it.
struct ListAdvance: Sendable {
    let content: ListContent
    /// Nil when it is not known what happened.
    let log: [RawOperation]?
}
