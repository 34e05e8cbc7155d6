import Dispatch
import Foundation

extension YapDatabaseConnection {
    /// Copies the state that the connection reads into another file, while others read and write: in a long-lived read
    /// transaction that is the state it began with, otherwise the newest.
    ///
    /// The file appears under its name when it is complete, in one step. A file that is there already is replaced, and with a
    /// database what it left beside it; at each moment, even of a crash, there is the whole old one or the whole new one. Until
    /// then the copy has a name of its own that ends in `.unfinished`; a process that is killed meanwhile leaves it behind.
    ///
    /// Costs a copy of the whole file.
    /// - Throws: ``YapDatabaseError`` when either file cannot be read or written; with `alreadyOpen` when the path leads to
    ///   a database that is open in this process, such as this one, and with `locked` when another program has the old
    ///   database open for longer than the busy timeout. What was at the path then is as it was.
    public func backup(toPath path: String) throws {
        try exclusively { try backUp(to: path, Progress(totalUnitCount: -1)) }
    }

    /// Like ``backup(toPath:)``, later, on the connection's queue.
    /// - Parameter completionBlock: gets nil, or the error; `CocoaError.userCancelled` when the progress was cancelled.
    /// - Returns: how far it is, in pages. Cancelling it ends the copy and leaves no file.
    @discardableResult
    public func asyncBackup(
        toPath path: String, completionQueue: DispatchQueue? = nil,
        completionBlock: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        later {
            let result = Result { try self.backUp(to: path, progress) }
            (completionQueue ?? .main).async {
                if case .failure(let error) = result { completionBlock(error) } else { completionBlock(nil) }
            }
        }
        return progress
    }

    private func backUp(to path: String, _ progress: Progress) throws {
        let destination = try BackupDestination(path: path, busyTimeout: database.options.busyTimeout)
        let isComplete = try destination.write { unfinished in
            try readOnQueue { transaction in
                try transaction.store.copy(to: unfinished) { done, total in
                    progress.totalUnitCount = Int64(total)
                    progress.completedUnitCount = Int64(done)
                    return !progress.isCancelled
                }
            }
        }
        if !isComplete { throw CocoaError(.userCancelled) }
    }
}
