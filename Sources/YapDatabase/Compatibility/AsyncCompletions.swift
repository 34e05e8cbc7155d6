import Dispatch
import Foundation

// Completion blocks of the original, which learn whether it worked, or nothing. In the library's own forms they receive the result.

extension YapDatabase {
    /// Like `register(_:withName:replacing:config:progress:)`, but asynchronous. Registrations run one after the other, in the order
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

    /// Like `register(_:replacing:config:progress:)`, but asynchronous.
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

    /// Like `unregisterExtension(withName:)`, but asynchronous. An error goes to ``YapDatabaseOptions/asyncErrorHandler``,
    /// and the block is called anyway.
    public func asyncUnregisterExtension(
        withName name: String, completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        let block = options.handlingErrors(completionBlock)
        asyncUnregisterExtension(withName: name, completionQueue: completionQueue, completionBlock: block)
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
}

extension YapDatabaseConnection {
    /// Like ``asyncRead(_:completionQueue:completionBlock:)`` with a block that receives no result: an error goes to
    /// ``YapDatabaseOptions/asyncErrorHandler``, and the block is called anyway.
    public func asyncRead(
        _ body: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Void, completionQueue: DispatchQueue? = nil,
        completionBlock: @escaping @Sendable () -> Void
    ) {
        let block = database.options.handlingErrors(completionBlock)
        asyncRead(body, completionQueue: completionQueue, completionBlock: block)
    }

    /// The same for ``asyncReadWrite(_:completionQueue:completionBlock:)``.
    public func asyncReadWrite(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void,
        completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        let block = database.options.handlingErrors(completionBlock)
        asyncReadWrite(body, completionQueue: completionQueue, completionBlock: block)
    }
}
