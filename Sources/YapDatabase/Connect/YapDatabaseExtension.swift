/// A derived structure that every write keeps up to date: a view, an index.
///
/// An extension instance holds its configuration, and what changes of it stands behind a lock, so all connections share it. What it
/// derives is in three places: in the store (tables named after the extension), in an `ExtensionState` that belongs to
/// one snapshot, and, inside a read-write transaction, in its ``YapDatabaseExtensionTransaction``.
///
/// Apps use the subclasses of this module and make none of their own, except of those that say so; the class is `open` for these, and
/// its initializer is not.
open class YapDatabaseExtension: @unchecked Sendable {
    // @unchecked: a subclass holds immutable configuration, or keeps what changes behind a lock; the compiler cannot check that for a class with
    // subclasses.
    // What the core asks of an extension is in `ExtensionHooks`, to which each of the classes without subclasses of ours conforms.

    /// The original's class name, such as `YapDatabaseAutoView`, as it is stored in `yap2`.
    package let className: String
    /// The version of the table layout, as it is stored in `yap2`.
    package let classVersion: Int

    /// What it was declared as. Set before it is registered; nil if the program made it without a declaration.
    var declared: DeclaredForm?

    package init(className: String, classVersion: Int) {
        self.className = className
        self.classVersion = classVersion
    }
}

/// One connection's access to an extension, valid as long as the connection. `connection.ext("order")`
public class YapDatabaseExtensionConnection {
    /// The name under which the extension is registered.
    public let name: String
    unowned let connection: YapDatabaseConnection

    package init(name: String, connection: YapDatabaseConnection) {
        self.name = name
        self.connection = connection
    }
}
