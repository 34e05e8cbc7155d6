import Dispatch
import Foundation

extension YapDatabase {
    /// Registers an extension: creates, loads or populates it, and keeps it up to date from then on.
    ///
    /// Runs in its own read-write transaction and waits for it. If the file has the extension with the same class and version
    /// tag, only its state is loaded; otherwise it is populated from all rows.
    ///
    /// Programs that have the file open at once must register the same class and version tag under a name. If another program
    /// registers something else, this one cannot see the extension, and its writes of rows throw
    /// ``YapDatabaseError/Code-swift.enum/badExtension``, until one of them registers what the other has. Registering again
    /// is permitted then.
    /// - Parameters:
    ///   - config: settings of the connection that populates the extension; nil for ``connectionDefaults``.
    ///   - progress: updated by a few units for each row, on the thread that does the work. Cancelling it, from any thread,
    ///     rolls the registration back.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the name is taken, in this process or in the file, also in other
    ///   case (`order` for `Order`), or if an extension that it depends on is missing; other codes if the file cannot be read
    ///   or written. `CocoaError.userCancelled` if the progress was cancelled.
    public func register(
        _ extension: YapDatabaseExtension, withName name: String, config: YapDatabaseConnectionConfig? = nil,
        progress: Progress? = nil
    ) throws {
        try newConnection(config).readWrite { try $0.register(`extension`, withName: name, progress: progress) }
        progress?.finish()
        `extension`.didRegister(withName: name, in: self)
    }

    /// Registers several extensions in one transaction, in this order. Rows are read and decoded once for all of them that are
    /// filled from the rows, so this takes little more time than the slowest alone.
    ///
    /// An extension that depends on another one comes after it. If one registration fails, all are rolled back.
    /// - Parameters: as for ``register(_:withName:config:progress:)``.
    public func register(
        _ extensions: [(name: String, extension: YapDatabaseExtension)], config: YapDatabaseConnectionConfig? = nil,
        progress: Progress? = nil
    ) throws {
        try newConnection(config).readWrite { try $0.register(extensions, progress) }
        progress?.finish()
        for (name, one) in extensions { one.didRegister(withName: name, in: self) }
    }

    /// Like ``register(_:withName:config:progress:)``, but asynchronous. Registrations run one after the other, in the order
    /// of the calls.
    /// - Parameter completionBlock: called on the given queue or the main queue; receives whether the extension can be used.
    ///   An error other than cancellation goes to ``YapDatabaseOptions/asyncErrorHandler``, if the program has set one, and
    ///   to the log handler (``setLogHandler(_:)``). In the other form the block receives the error.
    /// - Returns: the progress. Cancelling it rolls the registration back.
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

    /// Like ``register(_:withName:config:progress:)``, but asynchronous; the completion block receives the error. Without a
    /// block, an error other than cancellation goes to ``YapDatabaseOptions/asyncErrorHandler``.
    /// - Returns: the progress. Cancelling it rolls the registration back.
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

    /// Drops an extension with all its tables, whether this process has registered it or only the file has it. Does nothing
    /// if there is none of that name.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if another registered extension depends on it.
    public func unregisterExtension(withName name: String) throws {
        try newConnection().readWrite { try $0.unregisterExtension(withName: name) }
    }

    /// Like ``unregisterExtension(withName:)``, but asynchronous.
    public func asyncUnregisterExtension(
        withName name: String, completionQueue: DispatchQueue? = nil,
        completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) {
        later(completionQueue, completionBlock) { [self] in try unregisterExtension(withName: name) }
    }

    /// Like ``unregisterExtension(withName:)``, but asynchronous. An error goes to ``YapDatabaseOptions/asyncErrorHandler``,
    /// and the block is called anyway.
    public func asyncUnregisterExtension(
        withName name: String, completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        let block = options.handlingErrors(completionBlock)
        asyncUnregisterExtension(withName: name, completionQueue: completionQueue, completionBlock: block)
    }

    /// The extension that this process has registered under the name; nil if there is none.
    public func registeredExtension(_ name: String) -> YapDatabaseExtension? { registeredExtensions()[name] }

    /// The extensions that this process has registered, by name.
    public func registeredExtensions() -> [String: YapDatabaseExtension] {
        Dictionary(uniqueKeysWithValues: commitLog.latest.registrations.map { ($0.name, $0.extension) })
    }

    /// Waits until new transactions can use an extension of that name. Returns at once if it is registered already.
    /// - Throws: ``YapDatabaseError/Code-swift.enum/closed`` if the database is closed first, and `CancellationError` if the
    ///   task is cancelled.
    public func waitForExtension(_ name: String) async throws -> YapDatabaseExtension {
        // Subscribes before it checks, so that no registration is missed.
        let commits = commits
        if let known = registeredExtension(name) { return known }
        for await _ in commits {
            if let known = registeredExtension(name) { return known }
        }
        try Task.checkCancellation()
        throw YapDatabaseError(.closed, "The database was closed before the extension \"\(name)\" was registered.")
    }

    /// The names of all extensions in the file, registered or not, sorted.
    public func previouslyRegisteredExtensionNames() throws -> [String] {
        try newConnection().read { try $0.store.yapExtensionNames() }
    }

    /// Calls the block after every registration requested so far is done.
    public func flushExtensionRequests(
        withCompletionQueue completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        registrations.async { (completionQueue ?? .main).async(execute: completionBlock) }
    }

    /// Rebuilds, in the background, the extensions that a commit of another process made unusable. If that fails, the next
    /// write rebuilds them or throws the error.
    func restoreMissingExtensions() {
        registrations.async { [weak file, weak self] in
            file?.borrowing {
                do {
                    try self?.newConnection().readWrite { _ in }
                } catch {
                    Self.log(.warning, "Extensions that another process made unusable are not rebuilt yet: \(error)")
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
    /// Whether the caller cancelled a `Progress`.
    fileprivate var isCancellation: Bool { (self as? CocoaError)?.code == .userCancelled }
}
