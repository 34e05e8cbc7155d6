import Foundation

extension YapDatabase {
    /// Reads a whole file and lists what is wrong with it: SQLite's own check, whether every view agrees with itself and with
    /// the rows, whether the records of commits say what the file has, and additions to its tables that no YapDatabase makes, such as triggers. Empty if the file is intact.
    ///
    /// Reads one snapshot, also while others write. Does not change or create the file, its log or the log's index. Reads the
    /// whole file.
    ///
    /// ```swift
    /// for problem in try YapDatabase.check(url: url) { print(problem) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` if the file cannot be read at all.
    public static func check(url: URL) throws -> [YapDatabaseProblem] {
        try checkReport(url: url).problems
    }

    /// Like ``check(url:)``, and also reports the content of the file.
    ///
    /// ```swift
    /// let report = try YapDatabase.checkReport(url: url) { step in print(step) }
    /// print(report.problems.count)
    /// ```
    ///
    /// - Parameter progress: called with a description of the next step, on the caller's thread.
    /// - Throws: ``YapDatabaseError`` if the file cannot be read at all.
    public static func checkReport(
        url: URL, progress: @escaping (String) -> Void = { _ in }
    ) throws -> YapDatabaseCheckReport {
        try WholeFileCheck.report(url: url, progress: progress) { check, report in
            for kind in [any ExtensionKind].kinds { try kind.check(check, &report) }
            guard report.problems.isEmpty else { return }
            check.progress("the records of commits")
            report.problems += try RecordCheck(check.store).problems()
        }
    }
}
