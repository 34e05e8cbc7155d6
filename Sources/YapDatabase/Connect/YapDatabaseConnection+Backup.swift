import Dispatch
import Foundation
import SQLiteBridge

extension YapDatabaseConnection {
    /// Copies the newest state of the database into another file, while others read and write.
    ///
    /// The file appears under its name when it is complete; a file that is there already is replaced.
    /// - Throws: ``YapDatabaseError`` when either file cannot be read or written.
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

    private static let pagesPerStep = 256

    private func backUp(to path: String, _ progress: Progress) throws {
        let unfinished = path + ".unfinished"
        let files = FileManager.default
        if files.fileExists(atPath: unfinished) { try files.removeItem(atPath: unfinished) }
        defer { if files.fileExists(atPath: unfinished) { try? files.removeItem(atPath: unfinished) } }
        guard try copyPages(to: unfinished, progress) else { throw CocoaError(.userCancelled) }
        // One step for whoever looks: the old file, then the new one.
        guard rename(unfinished, path) == 0 else {
            throw YapDatabaseError(
                .cannotOpen, "The backup cannot be put at \(path). Check the folder's permissions.",
                underlying: POSIXError(.init(rawValue: errno) ?? .EIO))
        }
    }

    private func copyPages(to path: String, _ progress: Progress) throws -> Bool {
        try readOnQueue { transaction in
            let copy = try Store(path: path, mode: .create, busyTimeout: 0)
            return try transaction.store.handle.copy(to: copy.handle, pagesPerStep: Self.pagesPerStep) { done, total in
                progress.totalUnitCount = Int64(total)
                progress.completedUnitCount = Int64(done)
                return !progress.isCancelled
            }
        }
    }
}
