/// A connection's access to a view: the changes between two of its snapshots.
///
/// `connection.ext("order") as? YapDatabaseViewConnection`
public final class YapDatabaseViewConnection: YapDatabaseExtensionConnection {}
