import Foundation
import LiveTable

/// Calls back on the main actor when another process has committed to a database that is open here.
@MainActor final class ForeignCommitObserver {
    private var token: (any NSObjectProtocol)?

    init(onCommit: @escaping @MainActor (YapDatabase) -> Void) {
        token = NotificationCenter.default.addObserver(
            forName: .YapDatabaseModifiedExternally, object: nil, queue: nil
        ) { notification in
            guard let database = notification.object as? YapDatabase else { return }
            // Databases post their notifications on the main queue.
            MainActor.assumeIsolated { onCommit(database) }
        }
    }

    /// Ends the calls.
    func stop() {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
    }
}
