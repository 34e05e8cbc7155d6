import Foundation
import YapDatabase

/// Calls back on the main actor after commits of a database, for as long as it lives.
///
/// Notifications that wait in the main queue at the same time are one call: whoever jumps takes all commits at once.
@MainActor public final class CommitObserver {
    private var token: (any NSObjectProtocol)?
    private let onCommit: @MainActor () -> Void

    public init(_ database: YapDatabase, onCommit: @escaping @MainActor () -> Void) {
        self.onCommit = onCommit
        token = NotificationCenter.default.addObserver(
            forName: .YapDatabaseModified, object: database, queue: nil
        ) { [weak self] _ in
            // The database posts on the main queue.
            MainActor.assumeIsolated { self?.onCommit() }
        }
    }

    /// Stops calling.
    public func stop() {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
    }
}
