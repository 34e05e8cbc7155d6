import Dispatch
import Foundation

/// Registration without waiting. All calls run one after the other, in their order.
extension YapDatabase {
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
        asyncRegister(
            `extension`, withName: name, config: config, completionQueue: completionQueue,
            completionBlock: reporting("The extension \"\(name)\" is not registered", to: completionBlock))
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

    /// Like ``register(_:config:progress:)``, but asynchronous.
    /// - Parameter completionBlock: called on the given queue or the main queue; receives whether the extensions can be used:
    ///   all of them or none. An error goes where it goes for a single extension.
    /// - Returns: the progress. Cancelling it rolls all registrations back.
    @discardableResult
    public func asyncRegister(
        _ extensions: [(name: String, extension: YapDatabaseExtension)], config: YapDatabaseConnectionConfig? = nil,
        completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable (_ ready: Bool) -> Void
    ) -> Progress {
        let names = extensions.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return asyncRegister(
            extensions, config: config, completionQueue: completionQueue,
            completionBlock: reporting("The extensions \(names) are not registered", to: completionBlock))
    }

    /// Like ``register(_:config:progress:)``, but asynchronous; the completion block receives the error. Without a block, an
    /// error other than cancellation goes to ``YapDatabaseOptions/asyncErrorHandler``.
    /// - Returns: the progress. Cancelling it rolls all registrations back.
    @discardableResult
    public func asyncRegister(
        _ extensions: [(name: String, extension: YapDatabaseExtension)], config: YapDatabaseConnectionConfig? = nil,
        completionQueue: DispatchQueue? = nil, completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        later(completionQueue, completionBlock) { [self] in
            try register(extensions, config: config, progress: progress)
        }
        return progress
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

    /// Calls the block after every registration requested so far is done.
    public func flushExtensionRequests(
        withCompletionQueue completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        registrations.async { (completionQueue ?? .main).async(execute: completionBlock) }
    }

    /// Makes the block that receives the error of one that receives only whether there was none.
    private func reporting(
        _ failure: String, to block: @escaping @Sendable (Bool) -> Void
    ) -> @Sendable (Result<Void, any Error>) -> Void {
        { [options] result in
            if case .failure(let error) = result, !error.isCancellation {
                Self.log(.error, "\(failure): \(error)")
                if options.hasErrorHandler { options.asyncErrorHandler(error) }
            }
            block((try? result.get()) != nil)
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
