/// A row of a space that no file can take: it stays out of every file, and everything else is followed.
///
/// No client of this library sends such rows, and the server refuses them; `yap server rows` shows and removes those that were
/// written past it.
public struct YapDatabaseServerUnusableRow: Hashable, Sendable {
    /// The collection; bytes that are no text are replaced.
    public var collection: String
    /// The key; bytes that are no text are replaced.
    public var key: String
    /// What is wrong with it.
    public var reason: String
}

extension YapDatabaseServerUnusableRow: CustomStringConvertible {
    /// One line.
    public var description: String { "\"\(key)\" in \"\(collection)\": \(reason)" }
}
