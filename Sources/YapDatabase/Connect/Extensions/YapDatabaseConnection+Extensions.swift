extension YapDatabaseConnection {
    /// Returns the connection's access to a registered extension; nil if there is none of that name.
    ///
    /// A long-lived read transaction has only extensions that were registered before it began. Cast it:
    /// `connection.ext("order") as? YapDatabaseViewConnection`.
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
