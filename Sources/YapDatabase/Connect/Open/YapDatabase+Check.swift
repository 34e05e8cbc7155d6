import Foundation

extension YapDatabase {
    /// Reads a whole file and lists what is wrong with it: SQLite's own check, whether every view agrees with itself
    /// and with the rows, and what no YapDatabase puts on its tables, such as triggers. Empty when all is well.
    ///
    /// Reads one snapshot, also while others write. Leaves the file, its log and the log's index as they are to the last
    /// byte, and makes none of them. Costs a walk over the whole file.
    /// - Throws: ``YapDatabaseError`` when the file cannot be read at all.
    public static func check(url: URL) throws -> [YapDatabaseProblem] {
        try checkReport(url: url).problems
    }

    /// Like ``check(url:)``, and also says what the file holds.
    /// - Parameter progress: called with what is looked at next, in words, on the caller's thread.
    /// - Throws: ``YapDatabaseError`` when the file cannot be read at all.
    public static func checkReport(
        url: URL, progress: @escaping (String) -> Void = { _ in }
    ) throws -> YapDatabaseCheckReport {
        try WholeFileCheck.report(url: url, progress: progress)
    }
}
