import Dispatch
import Foundation

extension YapDatabase {
    /// Registers an extension: creates, loads or populates it, and keeps it up to date from then on.
    ///
    /// If the file has the extension with the same class and version tag, only its state is loaded: nothing is written, and no writer of another
    /// program is waited for. Otherwise it is populated from all rows, in a read-write transaction of its own. Waits for the writes of this
    /// program that were requested before.
    ///
    /// Programs that have the file open at once must register the same class and version tag under a name. Registering something else
    /// than another running program throws, unless `replacing` is true. Then that program cannot see the extension any more: its streams,
    /// models and coordinators of it, and of what reads from it, end with ``YapDatabaseError/Code-swift.enum/badExtension``, until one of
    /// them registers what the other has. Its writes go on: they leave the extension to this program.
    ///
    /// If another running program has declared the same view and has set another filter or other groups since, registering does not throw, but
    /// this program cannot see the view either, until both have the same again.
    ///
    /// - Parameters:
    ///   - extension: the extension to register.
    ///   - name: the name under which transactions find it.
    ///   - replacing: whether the name is taken from another running program that has registered something else under it.
    ///   - config: settings of the connection that populates the extension; nil for ``connectionDefaults``.
    ///   - progress: updated by a few units for each row, on the thread that does the work. Cancelling it, from any thread,
    ///     rolls the registration back.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the name is taken, in this process or in the file, also in other
    ///   case (`order` for `Order`), or by another running program, or if an extension that it depends on is missing; other codes if the file cannot be read
    ///   or written. `CocoaError.userCancelled` if the progress was cancelled.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func register(
        _ extension: YapDatabaseExtension, withName name: String, replacing: Bool = false,
        config: YapDatabaseConnectionConfig? = nil, progress: Progress? = nil
    ) throws {
        try register([(name, `extension`)], replacing: replacing, config: config, progress: progress)
    }

    /// Registers several extensions in one transaction, in this order. Rows are read and decoded once for all of them that are
    /// filled from the rows, and several views are sorted at the same time, each on one thread, so this takes little more time than
    /// the slowest alone. A block may get a transaction of another connection, which reads the same rows and the extensions that were
    /// registered before.
    ///
    /// An extension that depends on another one comes after it. If one registration fails, all are rolled back.
    ///
    /// - Parameters: as for ``register(_:withName:replacing:config:progress:)``.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, and `CocoaError.userCancelled`, as
    ///   `register(_:withName:replacing:config:progress:)`. No extension is registered then.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func register(
        _ extensions: [(name: String, extension: YapDatabaseExtension)], replacing: Bool = false,
        config: YapDatabaseConnectionConfig? = nil, progress: Progress? = nil
    ) throws {
        // Also after an error.
        defer { showUsedExtensions() }
        let batch = extensions.map { (name: $0.name, extension: $0.extension.hooks) }
        try progress?.throwIfCancelled()
        let connection = try newConnection(config)
        let loaded =
            try connection.load(batch, replacing: replacing)
            ?? connection.readWrite { try $0.register(batch, replacing: replacing, progress) }
        progress?.finish()
        for (name, one) in batch { one.didRegister(withName: name, in: self) }
        if !loaded.isEmpty { askBlocks(of: loaded) }
        // One may wait for what is registered now.
        authority?.mutationsChanged()
    }

    /// Drops an extension with all its tables, whether this process has registered it or only the file has it. Does nothing
    /// if there is none of that name.
    ///
    /// ```swift
    /// try database.unregisterExtension(withName: "order")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with `badExtension` if another registered extension depends on it.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    public func unregisterExtension(withName name: String) throws {
        defer { showUsedExtensions() }
        try newConnection().readWrite { try $0.unregisterExtension(withName: name) }
    }

    /// Shows other processes which extensions this one uses.
    func showUsedExtensions() {
        let newest = commitLog.latest
        file.use(Set((newest.extensions.map(\.name) + newest.missing.map(\.name))))
    }

    /// The extension that this process has registered under the name; nil if there is none.
    ///
    /// ```swift
    /// let order = database.registeredExtension("order") as? YapDatabaseAutoView
    /// print(database.registeredExtensions().keys.sorted())
    /// ```
    public func registeredExtension(_ name: String) -> YapDatabaseExtension? { registeredExtensions()[name] }

    /// The extensions that this process has registered, by name.
    ///
    /// Example: ``registeredExtension(_:)``.
    public func registeredExtensions() -> [String: YapDatabaseExtension] {
        Dictionary(uniqueKeysWithValues: commitLog.latest.registrations.map { ($0.name, $0.extension) })
    }

    /// Waits until new transactions can use an extension of that name. Returns at once if it is registered already.
    ///
    /// ```swift
    /// let order = try await database.waitForExtension("order")
    /// print(order is YapDatabaseAutoView)
    /// ```
    ///
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
    ///
    /// ```swift
    /// print(try database.previouslyRegisteredExtensionNames())   // ["order", "search"]
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed; `corrupt`, `inputOutput` and the like if the file
    ///   cannot be read.
    public func previouslyRegisteredExtensionNames() throws -> [String] {
        try newConnection().read { try $0.store.yapExtensionNames() }
    }
}

extension YapDatabaseConnection {
    /// Returns the connection's access to a registered extension; nil if there is none of that name.
    ///
    /// A long-lived read transaction has only extensions that were registered before it began. Cast it:
    /// `connection.ext("order") as? YapDatabaseViewConnection`.
    ///
    /// Waits for earlier calls of the connection.
    ///
    /// ```swift
    /// let view = connection.ext("order") as? YapDatabaseViewConnection
    /// ```
    public func ext(_ name: String) -> YapDatabaseExtensionConnection? {
        let snapshot = inOrder { longLived?.snapshot } ?? database.commitLog.latest
        guard let entry = snapshot.entry(name) else {
            database.logAbsence(of: name, in: snapshot)
            return nil
        }
        return entry.extension.makeConnection(name: name, connection: self)
    }

    /// Gives the body what an extension keeps for this connection. From any thread; the body must not call this again.
    func withExtensionValue<Value, Result>(
        _ name: String, _ initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        extensionValues.withLock { values in
            var value = values[name] as? Value ?? initial()
            defer { values[name] = value }
            return body(&value)
        }
    }
}

/// Registration without waiting. All calls run one after the other, in their order.
extension YapDatabase {
    /// Like `register(_:withName:replacing:config:progress:)`, but asynchronous. Registrations run one after the other, in the order
    /// of the calls. The completion block is called on the given queue or the main queue and receives the error. Without a
    /// block, an error other than cancellation goes to ``YapDatabaseOptions/asyncErrorHandler``.
    ///
    /// ```swift
    /// let progress = database.asyncRegister(view, withName: "order") { (result: Result<Void, any Error>) in
    ///     if case .failure(let error) = result { print(error) }
    /// }
    /// print(progress.fractionCompleted)
    /// ```
    ///
    /// - Parameters:
    ///   - extension: the extension to register.
    ///   - name: the name under which transactions find it.
    ///   - replacing: whether the name is taken from another running program that has registered something else under it.
    ///   - config: settings of the connection that does it; nil for ``connectionDefaults``.
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: receives the error, if there is one; on `completionQueue`.
    /// - Returns: the progress. Cancelling it rolls the registration back.
    @discardableResult
    public func asyncRegister(
        _ extension: YapDatabaseExtension, withName name: String, replacing: Bool = false,
        config: YapDatabaseConnectionConfig? = nil,
        completionQueue: DispatchQueue? = nil, completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        later(completionQueue, completionBlock) { [self] in
            try register(`extension`, withName: name, replacing: replacing, config: config, progress: progress)
        }
        return progress
    }

    /// Like `register(_:replacing:config:progress:)`, but asynchronous; the completion block receives the error. Without a block, an
    /// error other than cancellation goes to ``YapDatabaseOptions/asyncErrorHandler``.
    ///
    /// - Parameters:
    ///   - extensions: the extensions in the order of their registration.
    ///   - replacing: whether the name is taken from another running program that has registered something else under it.
    ///   - config: settings of the connection that does it; nil for ``connectionDefaults``.
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: receives the error, if there is one; on `completionQueue`.
    /// - Returns: the progress. Cancelling it rolls all registrations back.
    @discardableResult
    public func asyncRegister(
        _ extensions: [(name: String, extension: YapDatabaseExtension)], replacing: Bool = false,
        config: YapDatabaseConnectionConfig? = nil,
        completionQueue: DispatchQueue? = nil, completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        later(completionQueue, completionBlock) { [self] in
            try register(extensions, replacing: replacing, config: config, progress: progress)
        }
        return progress
    }

    /// Like `unregisterExtension(withName:)`, but asynchronous.
    ///
    /// ```swift
    /// database.asyncUnregisterExtension(withName: "order", completionQueue: .main) { result in print(result) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the extension.
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: receives the error, if there is one, on `completionQueue`. Without a block an error goes to
    ///     ``YapDatabaseOptions/asyncErrorHandler``.
    public func asyncUnregisterExtension(
        withName name: String, completionQueue: DispatchQueue? = nil,
        completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) {
        later(completionQueue, completionBlock) { [self] in try unregisterExtension(withName: name) }
    }

    /// Calls the block after every registration requested so far is done.
    ///
    /// ```swift
    /// database.asyncRegister(view, withName: "order")
    /// database.flushExtensionRequests { print("registered") }
    /// ```
    ///
    /// - Parameters:
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: called once, on that queue.
    public func flushExtensionRequests(
        withCompletionQueue completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        registrations.async { (completionQueue ?? .main).async(execute: completionBlock) }
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
    var isCancellation: Bool { (self as? CocoaError)?.code == .userCancelled }
}
