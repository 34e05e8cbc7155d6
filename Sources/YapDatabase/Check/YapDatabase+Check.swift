import Foundation

/// One thing that is wrong with a file.
public struct YapDatabaseProblem: Hashable, Sendable, CustomStringConvertible {
    /// The extension that it is about; nil for the rows and the file as a whole.
    public var extensionName: String?
    public var description: String
    /// Whether nothing is lost: registering the extension under another version tag makes it anew from the rows.
    public var canBeRebuilt: Bool
}

extension YapDatabase {
    /// Reads a whole file and lists what is wrong with it: SQLite's own check, and whether every view agrees with itself
    /// and with the rows. Empty when all is well.
    ///
    /// Reads one snapshot, also while others write; never writes. Costs a walk over the whole file.
    /// - Throws: ``YapDatabaseError`` when the file cannot be read at all.
    public static func check(url: URL) throws -> [YapDatabaseProblem] {
        guard let file = try FileCheck(path: url.path) else {
            throw YapDatabaseError(.cannotOpen, "There is no database at \(url.path).")
        }
        try file.check()
        let store = try Store(path: url.path, mode: .readOnly, busyTimeout: YapDatabaseOptions().busyTimeout)
        return try store.problems()
    }
}
