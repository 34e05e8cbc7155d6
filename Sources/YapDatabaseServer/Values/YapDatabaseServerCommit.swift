/// What a commit of the file that brings rows from the server says of itself: `YapDatabaseCommit.customObject`.
public struct YapDatabaseServerCommit: Hashable, Sendable {
    /// The commit of the space that the file has now.
    public var number: Int
    /// Rows that were written or removed.
    public var rows: Int
    /// Why the file was compared with the whole space, where that was necessary; nil where the commits since the last
    /// one were fetched.
    public var comparison: YapDatabaseServerComparison?
    /// Rows of the space that the file cannot take, and that stay out of it: `YapDatabaseServer.unusableRows`.
    public var unusableRows = 0
}

/// Why a file was compared with the whole space.
public enum YapDatabaseServerComparison: String, Hashable, Sendable {
    /// The file had nothing of this space, or other collections of it.
    case firstContact
    /// The server does not have the commit that the file had: it lost commits, or is another server. The file lost nothing by it,
    /// or was told to take the server's state.
    case historyLost
    /// Removals that the file had not yet seen were purged.
    case purged
    /// A right was granted or taken.
    case rightsChanged
    /// A program wrote the file that knows of no server. Its changes gave way.
    case writtenByOthers
}
