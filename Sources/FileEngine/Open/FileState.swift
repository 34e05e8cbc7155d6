import Foundation

/// What tells from outside whether somebody wrote.
package struct FileState: Hashable, Sendable {
    private let stamps: [[Int]]
    /// Whether there is anything in the log.
    package let hasLog: Bool
    package let hasIndex: Bool
    /// Which file stands at the path; nil where there is none.
    package var identity: Int? { stamps[0].isEmpty ? nil : stamps[0][1] }
    package var fileSize: Int { stamps[0].first ?? 0 }
    package var logSize: Int { stamps[1].first ?? 0 }
    /// Whether the file itself is as it was, whatever became of its log.
    package func hasSameFile(as other: FileState) -> Bool { stamps[0] == other.stamps[0] }

    /// A log of its header alone is empty, and more than SQLite can read without writing.
    private static let emptyLogSize = 32

    package init(_ path: String) {
        stamps = ["", "-wal"].map { Self.stamp(path + $0) }
        hasLog = stamps[1].first ?? 0 > Self.emptyLogSize
        hasIndex = !Self.stamp(path + "-shm").isEmpty
    }

    /// Empty where there is no file. Looked at from outside, never opened.
    private static func stamp(_ path: String) -> [Int] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [Int(status.st_size), Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
