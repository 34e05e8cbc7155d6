import Foundation

extension YapDatabase {
    /// Registers an extension, like the sync form, without blocking a thread of the caller.
    ///
    /// Registrations of these forms and of `asyncRegister` run one after the other, in the order of the calls, on a queue of the database.
    ///
    /// ```swift
    /// let progress = Progress(totalUnitCount: -1)
    /// try await database.register(view, withName: "order", progress: progress)
    /// ```
    ///
    /// - Parameters:
    ///   - extension: the extension to register.
    ///   - name: the name under which transactions find it.
    ///   - replacing: whether the name is taken from another running program that has registered something else under it.
    ///   - config: settings of the connection that populates the extension; nil for ``connectionDefaults``.
    ///   - progress: updated by a few units for each row, on the database's queue. Cancelling it, or the task, rolls the registration back.
    /// - Throws: ``YapDatabaseError`` as the sync form does: with `badExtension` if the name is taken or an extension is missing on which it
    ///   depends. `CancellationError` if the task was cancelled, `CocoaError.userCancelled` if only the progress was.
    public func register(
        _ extension: YapDatabaseExtension, withName name: String, replacing: Bool = false,
        config: YapDatabaseConnectionConfig? = nil, progress: Progress? = nil
    ) async throws {
        try await register([(name, `extension`)], replacing: replacing, config: config, progress: progress)
    }

    /// Registers several extensions in one transaction, in this order, like the sync form, without blocking a thread of the caller.
    ///
    /// - Parameters: as for the form for one extension.
    /// - Throws: as the form for one extension, ``YapDatabaseError`` with code `badExtension` and `CancellationError`. No extension is
    ///   registered then.
    public func register(
        _ extensions: [(name: String, extension: YapDatabaseExtension)], replacing: Bool = false,
        config: YapDatabaseConnectionConfig? = nil, progress: Progress? = nil
    ) async throws {
        try await cancelling(progress ?? Progress(totalUnitCount: -1)) { progress, finish in
            registrations.async {
                finish(
                    Result {
                        // While it waited for its turn.
                        try progress.throwIfCancelled()
                        try self.register(extensions, replacing: replacing, config: config, progress: progress)
                    })
            }
        }
    }

    /// Drops an extension with all its tables, like the sync form, without blocking a thread of the caller. Cannot be cancelled.
    ///
    /// ```swift
    /// try await database.unregisterExtension(withName: "order")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with `badExtension` if another registered extension depends on it.
    public func unregisterExtension(withName name: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            registrations.async { continuation.resume(with: Result { try self.unregisterExtension(withName: name) }) }
        }
    }
}
