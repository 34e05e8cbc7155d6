extension YapDatabaseConnection {
    /// The connection's access to a registered extension, nil when there is none of that name.
    ///
    /// In a long-lived read transaction only extensions that were registered before it began are there. Cast it:
    /// `connection.ext("order") as? YapDatabaseViewConnection`.
    public func ext(_ name: String) -> YapDatabaseExtensionConnection? {
        let frozen = inOrder { longLived?.snapshot }
        let entry = (frozen ?? database.commitLog.latest).entry(name)
        return entry.map { $0.extension.makeConnection(name: name, connection: self) }
    }

    /// The same as ``ext(_:)``.
    public func `extension`(_ name: String) -> YapDatabaseExtensionConnection? { ext(name) }
}
