import Dispatch
import Foundation

/// The kinds of memory that a connection can free.
public struct YapDatabaseConnectionFlushMemoryFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates a set from raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Objects, metadata and keys.
    public static let caches = Self(rawValue: 1 << 0)
    /// Prepared statements.
    public static let statements = Self(rawValue: 1 << 1)
    /// Pages of the file that SQLite caches.
    public static let `internal` = Self(rawValue: 1 << 2)
    /// Everything.
    public static let all: Self = [.caches, .statements, .internal]
}

extension YapDatabaseConnection {
    /// Frees caches, which are filled again when needed.
    ///
    /// Waits for earlier calls of the connection.
    ///
    /// ```swift
    /// try connection.flushMemory(with: [.caches, .internal])
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed.
    public func flushMemory(with flags: YapDatabaseConnectionFlushMemoryFlags = .all) throws {
        try inOrder {
            if flags.contains(.caches) { caches.removeAll() }
            let store = try store()
            if flags.contains(.statements) { store.freeStatements() }
            if flags.contains(.internal) { store.freePages() }
        }
    }

    /// Rebuilds the file without free space. Ends a long-lived read transaction of this connection.
    ///
    /// Helps only files of older releases, because new files shrink by themselves. Other connections may read meanwhile but
    /// not write, and then receive a commit that says that anything may have changed. Costs reading and writing the whole
    /// file.
    ///
    /// ```swift
    /// try connection.vacuum()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed; `fileReplaced` if the file was moved or replaced;
    ///   `locked` if another program holds it; `diskFull`, `inputOutput` and the like.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func vacuum() throws {
        try exclusively { try vacuumOnQueue() }
    }

    /// Rebuilds the file without free space, like the sync ``vacuum()``, without blocking a thread of the caller. Cannot be cancelled.
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed`, `fileReplaced`, `locked`, `diskFull`, `inputOutput` and the like.
    public func vacuum() async throws {
        try await withCheckedThrowingContinuation { continuation in
            later { continuation.resume(with: Result { try self.vacuumOnQueue() }) }
        }
    }

    /// Like `vacuum()`, but asynchronous, on the connection's queue.
    ///
    /// Example: `vacuum()`.
    ///
    /// - Parameters:
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: receives nil or the error, on `completionQueue`.
    public func asyncVacuum(
        completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable ((any Error)?) -> Void
    ) {
        later(completionQueue, completionBlock) { try self.vacuumOnQueue() }
    }

    private func vacuumOnQueue() throws {
        try endLongLivedImplicitly()
        try database.writeGate.pass {
            let store = try store()
            try database.file.checkPlace()
            defer { database.versionOfVacuum.withLock { $0 = nil } }
            let (before, after) = try store.vacuum { before in
                database.versionOfVacuum.withLock { $0 = before.afterVacuum }
            }
            database.followVacuum(from: before, to: after)
        }
    }

    /// SQLite's synchronous setting: 0 for off, 1 for normal, 2 for full.
    ///
    /// ```swift
    /// print(try connection.pragmaSynchronous(), try connection.pragmaPageSize())   // such as 1 4096
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed.
    public func pragmaSynchronous() throws -> Int { try pragma("synchronous") }
    /// Bytes of a page.
    ///
    /// Example: ``pragmaSynchronous()``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed.
    public func pragmaPageSize() throws -> Int { try pragma("page_size") }
    /// The largest number of bytes of the file that are mapped into memory.
    ///
    /// Example: ``pragmaSynchronous()``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed.
    public func pragmaMMapSize() throws -> Int { try pragma("mmap_size") }
    /// SQLite's auto-vacuum setting: 0 for none, 1 for full, 2 for incremental.
    ///
    /// Example: ``pragmaSynchronous()``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed.
    public func pragmaAutoVacuum() throws -> Int { try pragma("auto_vacuum") }

    private func pragma(_ name: String) throws -> Int {
        try inOrder { try store().pragma(name) }
    }
}

extension YapDatabase {
    /// Waits for a vacuum that has made the state but not yet announced it, so that the reader does not treat the state as a
    /// foreign commit. Costs one lock if no vacuum runs.
    func waitForVacuum(to version: FileVersion) {
        if versionOfVacuum.withLock({ $0 == version }) { writeGate.pass {} }
    }

    /// Adds the commit of a vacuum, which has no number of its own and changes no row, to the log. If another process
    /// committed too, the state stays one without a record.
    fileprivate func followVacuum(from before: FileVersion, to after: FileVersion) {
        let latest = commitLog.latest
        guard latest.version == before, after == before.afterVacuum else { return }
        let snapshot = Snapshot(
            version: after, extensions: latest.extensions, missing: latest.missing, displaced: latest.displaced,
            dormant: latest.dormant)
        let commit = Commit(snapshot: snapshot, isExternal: true)
        if commitLog.adopt(commit, after: before, likeThat: latest) === commit { announce() }
    }
}

extension YapDatabaseConnection {
    /// Copies the state that the connection reads to another file, while other connections read and write. In a long-lived
    /// read transaction that is the frozen state, otherwise the newest.
    ///
    /// The complete file appears at the path atomically. It replaces an existing file, with its log and journal; after a
    /// crash the path has the complete old file or the complete new one. Until then the copy has a temporary name that ends
    /// in `.unfinished`, which a killed process leaves behind.
    ///
    /// Costs reading and writing the whole file.
    ///
    /// ```swift
    /// try connection.backup(toPath: "/backups/library.sqlite")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` if either file cannot be read or written; with `alreadyOpen` if the path leads to a
    ///   database that is open in this process, such as this one, and with `locked` if another program has the old database
    ///   open for longer than the busy timeout. The old file is then unchanged.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func backup(toPath path: String) throws {
        try exclusively { try backUp(to: path, Progress(totalUnitCount: -1)) }
    }

    /// Copies the state that the connection reads, like the sync ``backup(toPath:)``, without blocking a thread of the caller.
    ///
    /// ```swift
    /// try await connection.backup(toPath: "/backups/library.sqlite")
    /// ```
    ///
    /// - Parameters:
    ///   - path: the copy, which replaces an existing file.
    ///   - progress: updated in pages, on the connection's queue. Cancelling it, or the task, stops the copy and leaves no file.
    /// - Throws: ``YapDatabaseError`` as the sync form does. `CancellationError` if the task was cancelled, `CocoaError.userCancelled` if
    ///   only the progress was.
    public func backup(toPath path: String, progress: Progress? = nil) async throws {
        try await cancelling(progress ?? Progress(totalUnitCount: -1)) { progress, finish in
            later { finish(Result { try self.backUp(to: path, progress) }) }
        }
    }

    /// Like ``backup(toPath:)``, but asynchronous, on the connection's queue.
    ///
    /// Example: ``backup(toPath:)``.
    ///
    /// - Parameters:
    ///   - path: where the copy is written.
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: receives nil or the error; `CocoaError.userCancelled` if the progress was cancelled.
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
