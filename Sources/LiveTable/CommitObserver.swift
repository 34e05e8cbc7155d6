import Foundation
import YapDatabase

/// Calls a closure on the main actor after commits of a database, until it is stopped or deallocated.
///
/// Notifications that wait in the main queue at the same time cause one call: one jump takes in all of their commits.
@MainActor public final class CommitObserver {
    private var token: (any NSObjectProtocol)?
    private let onCommit: @MainActor () -> Void

    public init(_ database: YapDatabase, onCommit: @escaping @MainActor () -> Void) {
        self.onCommit = onCommit
        token = NotificationCenter.default.addObserver(
            forName: .YapDatabaseModified, object: database, queue: nil
        ) { [weak self] _ in
            // The database posts its notifications on the main queue.
            MainActor.assumeIsolated { self?.onCommit() }
        }
    }

    /// Ends the calls.
    public func stop() {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
    }
}
