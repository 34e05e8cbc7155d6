import Dispatch

extension YapDatabase {
    /// Makes an extension part of the database: it is created, loaded or populated, and kept in step from then on.
    ///
    /// Waits until that is done, in a read-write transaction of its own. An extension that the file knows with the same
    /// class and version tag reads only what it needs to go on; otherwise it is populated from all rows.
    /// - Throws: ``YapDatabaseError`` when the name is taken, when an extension that it needs is missing, and when the
    ///   file cannot be read or written.
    public func register(_ extension: YapDatabaseExtension, withName name: String) throws {
        try newConnection().readWrite { try $0.register(`extension`, withName: name) }
    }

    /// Like ``register(_:withName:)``, later. Registrations run one after the other, in the order of the calls.
    /// - Parameter completionBlock: called on the main queue (or the one given): whether the extension can be used now.
    public func asyncRegister(
        _ extension: YapDatabaseExtension, withName name: String, completionQueue: DispatchQueue? = nil,
        completionBlock: @escaping @Sendable (_ ready: Bool) -> Void
    ) {
        asyncRegister(`extension`, withName: name, completionQueue: completionQueue) {
            (result: Result<Void, any Error>) in
            if case .success = result { completionBlock(true) } else { completionBlock(false) }
        }
    }

    /// Like ``register(_:withName:)``, later; the completion block gets the error where there is one. Without a block an
    /// error goes to ``YapDatabaseOptions/asyncErrorHandler``.
    public func asyncRegister(
        _ extension: YapDatabaseExtension, withName name: String, completionQueue: DispatchQueue? = nil,
        completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) {
        later(completionQueue, completionBlock) { try $0.register(`extension`, withName: name) }
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
        later(completionQueue, completionBlock) { try $0.unregisterExtension(withName: name) }
    }

    public func registeredExtension(_ name: String) -> YapDatabaseExtension? { registeredExtensions()[name] }

    public func registeredExtensions() -> [String: YapDatabaseExtension] {
        Dictionary(uniqueKeysWithValues: commitLog.latest.registrations.map { ($0.name, $0.extension) })
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
        registrations.async { _ = try? self.newConnection().readWrite { _ in } }
    }

    private func later(
        _ queue: DispatchQueue?, _ block: (@Sendable (Result<Void, any Error>) -> Void)?,
        _ work: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void
    ) {
        registrations.async {
            let result = Result { try self.newConnection().readWrite(work) }
            if let block {
                (queue ?? .main).async { block(result) }
            } else if case .failure(let error) = result {
                self.options.asyncErrorHandler(error)
            }
        }
    }
}
