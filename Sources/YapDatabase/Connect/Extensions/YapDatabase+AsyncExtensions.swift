import Dispatch
import Foundation

/// Registration without waiting. All calls run one after the other, in their order.
extension YapDatabase {
    /// Like ``register(_:withName:replacing:config:progress:)``, but asynchronous. Registrations run one after the other, in the order
    /// of the calls. The completion block is called on the given queue or the main queue and receives the error. Without a
    /// block, an error other than cancellation goes to ``YapDatabaseOptions/asyncErrorHandler``.
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

    /// Like ``register(_:replacing:config:progress:)``, but asynchronous; the completion block receives the error. Without a block, an
    /// error other than cancellation goes to ``YapDatabaseOptions/asyncErrorHandler``.
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

    /// Like ``unregisterExtension(withName:)``, but asynchronous.
    public func asyncUnregisterExtension(
        withName name: String, completionQueue: DispatchQueue? = nil,
        completionBlock: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) {
        later(completionQueue, completionBlock) { [self] in try unregisterExtension(withName: name) }
    }

    /// Calls the block after every registration requested so far is done.
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
