import Dispatch
import Foundation

extension YapDatabaseConnection {
    /// Copies the state that the connection reads to another file, while other connections read and write. In a long-lived
    /// read transaction that is the frozen state, otherwise the newest.
    ///
    /// The complete file appears at the path atomically. It replaces an existing file, with its log and journal; after a
    /// crash the path has the complete old file or the complete new one. Until then the copy has a temporary name that ends
    /// in `.unfinished`, which a killed process leaves behind.
    ///
    /// Costs reading and writing the whole file.
    /// - Throws: ``YapDatabaseError`` if either file cannot be read or written; with `alreadyOpen` if the path leads to a
    ///   database that is open in this process, such as this one, and with `locked` if another program has the old database
    ///   open for longer than the busy timeout. The old file is then unchanged.
    public func backup(toPath path: String) throws {
        try exclusively { try backUp(to: path, Progress(totalUnitCount: -1)) }
    }

    /// Like ``backup(toPath:)``, but asynchronous, on the connection's queue.
    /// - Parameter completionBlock: receives nil or the error; `CocoaError.userCancelled` if the progress was cancelled.
    /// - Returns: the progress in pages. Cancelling it stops the copy and leaves no file.
    @discardableResult
    public func asyncBackup(
        toPath path: String, completionQueue: DispatchQueue? = nil,
        completionBlock: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        later(completionQueue, completionBlock) { try self.backUp(to: path, progress) }
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
