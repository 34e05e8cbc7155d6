import FileEngine

/// Tells errors of a file that another program is rewriting, by VACUUM for example, from those that last.
package struct RewriteTolerance {
    /// The file at the last damage, and how often it was met without the file having changed.
    private var damaged: (file: FileState, count: Int)?
    private static let limit = 3

    package init() {}

    /// Whether to look at the file again after a pause.
    package mutating func isPassing(_ error: YapDatabaseError, of path: String) -> Bool {
        if error.code == .reloadNeeded || error.code == .locked { return true }
        guard error.isDamage else { return false }
        let file = FileState(path)
        damaged = (file, damaged?.file == file ? (damaged?.count ?? 0) + 1 : 1)
        return (damaged?.count ?? 0) < Self.limit
    }
}
