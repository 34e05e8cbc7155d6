import Foundation
import ListChanges

// The original follows a database with notifications: a jump returns those of the commits that it passes, and a view's
// connection turns them into the changes of a list.

extension YapDatabaseConnection {
    /// The original's form of ``jump()``: returns the commits as notifications.
    @discardableResult
    public func beginLongLivedReadTransaction() throws -> [Notification] {
        try jump().map { $0.notification(from: database) }
    }
}

extension YapDatabaseViewConnection {
    /// The form of ``outcome(for:with:)`` for notifications.
    public func outcome(
        forNotifications notifications: [Notification], withMappings mappings: YapDatabaseViewMappings
    ) throws -> Outcome {
        try outcome(for: notifications, with: mappings)
    }

    /// The original's form of ``outcome(for:with:)``: returns the sections and rows that changed.
    ///
    /// - Throws: as ``outcome(for:with:)``; also, with code `.reloadNeeded`, when only a reload can
    ///   say what changed. The mappings are up to date then, so `reloadData()` is all that is to be done.
    public func getChanges(
        forNotifications notifications: [Notification], withMappings mappings: YapDatabaseViewMappings
    ) throws -> (sectionChanges: [SectionChange], rowChanges: [RowChange]) {
        switch try outcome(for: notifications, with: mappings) {
        case .none: return ([], [])
        case .changes(let changes): return (changes.sectionChanges, changes.rowChanges)
        case .reload:
            throw YapDatabaseError(
                .reloadNeeded,
                "What changed in \"\(name)\" cannot be told as a change-set. The mappings are up to date: reload the list."
            )
        }
    }
}
