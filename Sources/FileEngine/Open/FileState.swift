import Foundation

/// Size, identity and time of a file and its log, which show whether a process wrote to them.
package struct FileState: Hashable, Sendable {
    private let stamps: [[Int]]
    /// Whether the log has content.
    package let hasLog: Bool
    package let hasIndex: Bool
    /// The inode of the file at the path; nil if there is none.
    package var identity: Int? { stamps[0].isEmpty ? nil : stamps[0][1] }
    package var fileSize: Int { stamps[0].first ?? 0 }
    package var logSize: Int { stamps[1].first ?? 0 }
    /// Whether the file is unchanged. Ignores the log.
    package func hasSameFile(as other: FileState) -> Bool { stamps[0] == other.stamps[0] }

    /// Bytes of a log that has only its header. It has no content, and SQLite cannot read it without writing.
    private static let emptyLogSize = 32

    package init(_ path: String) {
        stamps = ["", "-wal"].map { Self.stamp(path + $0) }
        hasLog = stamps[1].first ?? 0 > Self.emptyLogSize
        hasIndex = !Self.stamp(path + "-shm").isEmpty
    }

    /// Returns an empty array if there is no file. Never opens the file.
    private static func stamp(_ path: String) -> [Int] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [Int(status.st_size), Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
