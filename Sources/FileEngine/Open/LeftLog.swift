import Foundation

/// A write-ahead log beside which there is no file: the file was moved or removed while it was open, and the log has its newest commits.
package enum LeftLog {
    /// What a log without a commit has: its header.
    private static let emptySize = 32

    /// Renames the log before a new file is made beside it: SQLite would remove it then.
    ///
    /// Two processes may make the file at once. The file has a page before it has a log, so a log that was found first belongs to a file that is there
    /// when it is looked for afterwards.
    /// - Returns: the log's new path; nil if there was none.
    package static func moveAside(from path: String) -> String? {
        guard isFilled(beside: path), size(path) ?? 0 == 0 else { return nil }
        let names = ["\(path)-wal.left"] + (2...1_000).map { "\(path)-wal.left-\($0)" }
        // Where it cannot be renamed, it cannot be removed either.
        guard let name = names.first(where: { size($0) == nil }), rename("\(path)-wal", name) == 0 else { return nil }
        return name
    }

    /// Whether a log with a commit is beside the path.
    package static func isFilled(beside path: String) -> Bool { size("\(path)-wal").map { $0 > emptySize } ?? false }

    /// Nil if there is no such file.
    private static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
