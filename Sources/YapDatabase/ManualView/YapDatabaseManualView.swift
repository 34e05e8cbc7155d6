/// A view whose rows, groups and order the app decides, call by call.
///
/// ```swift
/// try database.register(YapDatabaseManualView(versionTag: "1"), withName: "playlist")
/// try connection.readWrite { transaction in
///     let playlist = transaction.ext("playlist") as? YapDatabaseManualViewTransaction
///     try playlist?.addKey("song-7", inCollection: "songs", toGroup: "evening")
/// }
/// ```
///
/// A row that is removed from the database leaves the view. A view with another `versionTag` than in the file starts empty, and so
/// does a view in memory at each launch and after each commit of another process.
///
/// Apps may subclass it, for initializers of their own.
open class YapDatabaseManualView: YapDatabaseView, @unchecked Sendable {
    // @unchecked: as for YapDatabaseView.

    /// Creates a view without rows.
    ///
    /// - Parameter versionTag: another one than in the file empties the view when it is registered.
    public init(versionTag: String = "", options: YapDatabaseViewOptions? = nil) {
        super.init(
            className: "YapDatabaseManualView", versionTag: versionTag, options: options ?? YapDatabaseViewOptions())
    }

    override func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> YapDatabaseExtensionTransaction {
        YapDatabaseManualViewTransaction(view: self, name: name, transaction: transaction, state: state as! ViewState?)
    }
}
