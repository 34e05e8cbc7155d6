import Foundation
import ListChanges
import FileEngine

/// Takes a file and its lists from one state to the newest. Prepared in the background.
package struct FileStep: Sendable {
    struct FollowedList: Sendable {
        var content: ListContent
        /// Nil if the list's change-set is not needed.
        var reach: [Int64]?
    }

    /// The most rows whose content is compared, far more than any screen shows.
    package static let reachLimit = 20_000

    let from: FileSnapshot
    let isTruncated: Bool
    let lists: [FollowedList]

    /// The longest pause in seconds, while the log is long and nothing is held.
    private static let longestPause = 0.3

    /// Opens the newest state and finds the exact difference of each list whose rows are counted. Takes up to a second,
    /// depending on the length of the lists.
    /// - Returns: nil if nothing was written.
    /// - Throws: ``YapDatabaseError`` if the file cannot be read as it is now.
    package func prepare() throws -> FileAdvance? {
        if from.isNewest { return nil }
        // If the state holds no locks, closing it later would release the locks of the new one.
        if from.mark.hold == .nothing { from.close() }
        if from.isInLongLog {
            from.loosen(keepsChanges: true)
            pauseForWriter()
        }
        let snapshot = try newest()
        let catalog = try snapshot.catalog()
        let changes = LogChanges(from: from, to: snapshot)
        return FileAdvance(
            snapshot: snapshot, catalog: catalog, touched: changes.rows,
            lists: try lists.map { try ListAdvance($0.content, reach: $0.reach, changes, to: snapshot, catalog) })
    }

    private func newest() throws -> FileSnapshot {
        // An empty file is a database without tables to SQLite. While it is written again, the rest is in a log.
        let now = FileState(from.path)
        if now.identity != nil, now.fileSize == 0, !now.hasLog { throw TracelessRead.empty(from.path) }
        do {
            return try FileSnapshot.newest(from.path, isTruncated: isTruncated)
        } catch let error as YapDatabaseError where error.code == .cannotOpen && access(from.path, F_OK) != 0 {
            throw YapDatabaseError(
                .cannotOpen,
                "\(from.path) is gone: it was moved, removed or replaced. What was shown is its last state.")
        } catch let error as YapDatabaseError where error.isDamage || error.code == .notADatabase {
            // To look at the beginning of the file ends the locks that this process has on it.
            from.loosen(keepsChanges: true)
            guard try EncryptedFile.unlockAgain(from.path) else { throw error }
            do {
                return try FileSnapshot.newest(from.path, isTruncated: isTruncated)
            } catch let error as YapDatabaseError where error.isDamage && EncryptedFile.isKeyOfLogUnknown(from.path) {
                throw EncryptedFile.keyWasChanged(from.path)
            }
        }
    }

    /// Waits until the whole log is in the file, so that a new reader reads only the file, or until the writing program
    /// has restarted the log. Both happen with its next commits.
    private func pauseForWriter() {
        guard let start = from.newestLog else { return }
        let end = ContinuousClock.now + .seconds(Self.longestPause)
        while ContinuousClock.now < end {
            // Nil during a commit.
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
    /// The rows that may have changed in between.
    package let touched: TouchedRows
    let lists: [ListAdvance]
}

/// A list in a newer state, and how it changed.
struct ListAdvance: Sendable {
    let content: ListContent
    /// Nil if the changes are unknown.
    let log: [RawOperation]?
}
