/// A connection's access to a view: what changed between two of its snapshots.
///
/// `connection.ext("order") as? YapDatabaseViewConnection`
public final class YapDatabaseViewConnection: YapDatabaseExtensionConnection {}
