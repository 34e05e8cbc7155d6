/// How an extension that follows from the rows gets right after programs that do not know it changed rows.
enum ExtensionRecovery {
    /// The changed rows are placed in memory before any reader sees the state. The file gets it with a later commit.
    case placing
    /// Readers see the last right state without rows that are gone, until the next write has placed the changed rows.
    case writing
    /// It is missing until the next write has filled it again.
    case rebuilding
}

/// Rows that changed while an extension was not told of it.
struct RowsToPlace {
    /// Whether all rows were removed before `changed` were written.
    var isAllGone = false
    /// With the rowids that they had. Other rows, in `changed`, may have these now.
    var removed: [RemovedRow] = []
    /// New rows, and rows with other values, by rowid.
    var changed: [ChangedRow] = []
    /// Whether they were found by a comparison, so that what depends on other extensions is compared too.
    var mayLackOthers = false
}

/// What a comparison of an extension with all rows found.
struct FoundRows {
    /// Rows that are in the wrong place.
    var misplaced: [RowKey] = []
    /// Rows that do not exist. Of those, only the rowids are known.
    var gone: [Int64] = []
}
