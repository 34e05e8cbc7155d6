extension YapDatabaseConnection {
    /// Like the sync ``read(_:)``, without holding up a thread of the caller.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Value
    ) async throws -> Value {
        checkPermission(.asyncRead)
        return try await withCheckedThrowingContinuation { continuation in
            later { continuation.resume(with: Result { try self.readOnQueue(body) }) }
        }
    }

    /// Like the sync ``readWrite(_:)``, without holding up a thread of the caller.
    public func readWrite<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value
    ) async throws -> Value {
        checkPermission(.asyncReadWrite)
        return try await withCheckedThrowingContinuation { continuation in
            later {
                continuation.resume(with: Result { try self.writeOnQueue(body) })
            }
        }
    }

    /// The same as the async ``readWrite(_:)``.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value
    ) async throws -> Value {
        try await readWrite(body)
    }
}
