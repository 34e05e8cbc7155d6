import FileEngine

/// A graph over the rows, with rules that delete rows and files with others.
///
/// ```swift
/// try database.register(YapDatabaseRelationship(), withName: "relationships")
/// ```
///
/// Objects name their edges (``YapDatabaseRelationshipNode``), or the app adds them
/// (``YapDatabaseRelationshipTransaction/addEdge(_:)``). The rules run at the end of each read-write transaction, or earlier
/// by ``YapDatabaseRelationshipTransaction/flush()``; what they delete belongs to the same commit.
///
/// The rules of all rows that a transaction deletes are applied together, so their result does not depend on the order of the
/// deletions.
///
/// ## Files
///
/// Files are deleted after the commit, one after the other on a queue of the database. The commit notes them in the database, and
/// `YapDatabase.close()` waits for them. If a process ends earlier, or releases the database without closing it, the next one that registers the
/// relationship deletes them. Folders are never deleted, nor is a file that was put in the place of the one that the rule meant.
///
/// A file is deleted only while no edge of the newest state leads to it, by whatever spelling of its location: `/tmp/a`, `/tmp/./a`, or a path
/// through a symbolic link of a folder. This is looked up in a write transaction that also deletes the file, so no other transaction, of this or
/// another process, comes in between. A transaction that names such a file again finds it either kept or gone: make the file, or look whether it
/// is there, inside the transaction that names it. The look-up reads every edge to a file, once for all files that wait.
public final class YapDatabaseRelationship: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: all properties are `let`, and `settings` is a copy that is never changed.

    let settings: YapDatabaseRelationshipOptions
    private let tag: String

    /// - Parameter versionTag: change it whenever objects name other edges than before. The objects are then asked again;
    ///   edges that were added by hand stay. Registering deletes no row: an edge to a row that does not exist is left out.
    public init(versionTag: String = "", options: YapDatabaseRelationshipOptions? = nil) {
        settings = options?.copy() ?? YapDatabaseRelationshipOptions()
        tag = versionTag
        super.init(className: "YapDatabaseRelationship", classVersion: 4)
    }

    /// A copy of the options that the relationship was created with.
    public var options: YapDatabaseRelationshipOptions { settings.copy() }

    /// The tag that it was created with.
    public var versionTag: String { tag }

    /// Other rows have no edges of their own. They can be destinations, which ``EdgeTable/lacksEdges`` takes care of.
    package var collections: YapWhitelistBlacklist? { settings.allowedCollections }
    package var recovery: ExtensionRecovery { .writing }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseRelationshipTransaction(settings: settings, tag: tag, name: name, transaction: transaction)
    }

    package func didRegister(withName name: String, in database: YapDatabase) {
        database.deletePendingFiles(of: name)
    }
}
