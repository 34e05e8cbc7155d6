import Dispatch
import Foundation

extension YapDatabase {
    /// Makes an extension part of the database: it is created, loaded or populated, and kept in step from then on.
    ///
    /// Waits until that is done, in a read-write transaction of its own. An extension that the file knows with the same
    /// class and version tag reads only what it needs to go on; otherwise it is populated from all rows.
    ///
    /// Programs that have the file open at once must agree about the class and version tag of a name. Where another one
    /// registers something else under it, this one cannot see the extension and its writes of rows throw
    /// ``YapDatabaseError/Code-swift.enum/badExtension``, until one of them registers what the other one has. Registering
    /// again is allowed then.
    /// - Parameters:
    ///   - config: of the connection that populates the extension; nil for ``connectionDefaults``.
    ///   - progress: told how far it is, some units for each row, on the thread that works. May be cancelled from any thread,
    ///     and then nothing of the registration remains.
    /// - Throws: ``YapDatabaseError`` when the name is taken, also in other case (`order` for `Order`), here or by what the
    ///   file remembers; when an extension that it needs is missing, and when the file cannot be read or written;
    ///   `CocoaError.userCancelled` when the progress was cancelled.
    public func register(
        _ extension: YapDatabaseExtension, withName name: String, config: YapDatabaseConnectionConfig? = nil,
        progress: Progress? = nil
    ) throws {
        try newConnection(config).readWrite { try $0.register(`extension`, withName: name, progress: progress) }
        progress?.finish()
    }

    /// Like ``register(_:withName:config:progress:)``, later. Registrations run one after the other, in the order of the
    /// calls.
    /// - Parameter completionBlock: called on the main queue (or the one given): whether the extension can be used now. Why
    ///   it cannot goes to ``YapDatabaseOptions/asyncErrorHandler`` where the program has set one, and to the log handler
    ///   (``setLogHandler(_:)``), unless it was cancelled. The other form gives the block the error.
    /// - Returns: how far it is. Cancelling it leaves the extension unregistered.
    @discardableResult
    public func asyncRegister(
        _ extension: YapDatabaseExtension, withName name: String, config: YapDatabaseConnectionConfig? = nil,
        completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable (_ ready: Bool) -> Void
    ) -> Progress {
        let options = options
        return asyncRegister(`extension`, withName: name, config: config, completionQueue: completionQueue) {
            (result: Result<Void, any Error>) in
            if case .failure(let error) = result, !error.isCancellation {
                Self.log(.error, "The extension \"\(name)\" is not registered: \(error)")
                if options.hasErrorHandler { options.asyncErrorHandler(error) }
            }
            completionBlock((try? result.get()) != nil)
        }
    }

    /// Like ``register(_:withName:config:progress:)``, later; the completion block gets the error where there is one. Without a
    /// block an error goes to ``YapDatabaseOptions/asyncErrorHandler``, unless it is that of being cancelled.
    /// - Returns: how far it is. Cancelling it leaves the extension unregistered.
    @discardableResult
    public func asyncRegister(
        _ extension: YapDatabaseExtension, withName name: String, config: YapDatabaseConnectionConfig? = nil,
        completionQueue: DispatchQueue? = nil, completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        later(completionQueue, completionBlock) { [self] in
            try register(`extension`, withName: name, config: config, progress: progress)
        }
        return progress
    }

    /// Drops a registered extension, or one that only the file remembers, with all its tables. Does nothing when there is
    /// none of that name.
    /// - Throws: ``YapDatabaseError`` when another registered extension needs it.
    public func unregisterExtension(withName name: String) throws {
        try newConnection().readWrite { try $0.unregisterExtension(withName: name) }
    }

    /// Like ``unregisterExtension(withName:)``, later.
    public func asyncUnregisterExtension(
        withName name: String, completionQueue: DispatchQueue? = nil,
        completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) {
        later(completionQueue, completionBlock) { [self] in try unregisterExtension(withName: name) }
    }

    /// Like ``unregisterExtension(withName:)``, later. An error goes to ``YapDatabaseOptions/asyncErrorHandler``, and the
    /// block is called all the same.
    public func asyncUnregisterExtension(
        withName name: String, completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        let handleError = options.asyncErrorHandler
        asyncUnregisterExtension(withName: name, completionQueue: completionQueue) { result in
            if case .failure(let error) = result { handleError(error) }
            completionBlock()
        }
    }

    /// The extension of that name, nil when this process has registered none.
    public func registeredExtension(_ name: String) -> YapDatabaseExtension? { registeredExtensions()[name] }

    /// Everything that this process has registered, by name.
    public func registeredExtensions() -> [String: YapDatabaseExtension] {
        Dictionary(uniqueKeysWithValues: commitLog.latest.registrations.map { ($0.name, $0.extension) })
    }

    /// Returns when an extension of that name can be used by transactions that begin from then on: at once when it is
    /// registered already.
    /// - Throws: ``YapDatabaseError/Code-swift.enum/closed`` when the database is closed before that happens, and
    ///   `CancellationError` when the task is cancelled.
    public func waitForExtension(_ name: String) async throws -> YapDatabaseExtension {
        // Listens before it looks, so that nothing happens in between.
        let commits = commits
        if let known = registeredExtension(name) { return known }
        for await _ in commits {
            if let known = registeredExtension(name) { return known }
        }
        try Task.checkCancellation()
        throw YapDatabaseError(.closed, "The database was closed before the extension \"\(name)\" was registered.")
    }

    /// The names of all extensions that the file remembers, registered or not, in order.
    public func previouslyRegisteredExtensionNames() throws -> [String] {
        try newConnection().read { try $0.store.yapExtensionNames() }
    }

    /// Calls the block when every registration that was asked for so far is done.
    public func flushExtensionRequests(
        withCompletionQueue completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        registrations.async { (completionQueue ?? .main).async(execute: completionBlock) }
    }

    /// Soon makes anew what a commit of another process left unusable. Where that fails, the next write does it, and
    /// throws what is wrong.
    func restoreMissingExtensions() {
        registrations.async { [weak file, weak self] in
            file?.borrowing {
                do {
                    try self?.newConnection().readWrite { _ in }
                } catch {
                    Self.log(.warning, "Extensions that another process left unusable are not restored yet: \(error)")
                }
            }
        }
    }

    private func later(
        _ queue: DispatchQueue?, _ block: (@Sendable (Result<Void, any Error>) -> Void)?,
        _ work: @escaping @Sendable () throws -> Void
    ) {
        registrations.async {
            let result = Result { try work() }
            if let block {
                (queue ?? .main).async { block(result) }
            } else if case .failure(let error) = result, !error.isCancellation {
                self.options.asyncErrorHandler(error)
            }
        }
    }
}

extension Error {
    /// Whether it says that the caller cancelled a `Progress`.
    fileprivate var isCancellation: Bool { (self as? CocoaError)?.code == .userCancelled }
}
