import ListChanges

/// A transaction that writes. It sees what it wrote; others see all of it at once, after it ends.
///
/// There is one at a time for each database. If the closure throws, or if any write in it failed midway, nothing of the
/// transaction remains.
public final class YapDatabaseReadWriteTransaction: YapDatabaseReadTransaction {
    /// Handed to everybody with the notification of this commit, under ``YapDatabaseCustomKey``.
    public var yapDatabaseModifiedNotificationCustomObject: Any?
}
