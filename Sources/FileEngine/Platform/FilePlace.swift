import Foundation

/// Identifies a file independently of its name.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }

    /// The identity of the file that has this name now; nil if there is none.
    init?(ofFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

extension String {
    /// The folder of the file with this path. A `URL` would say the same in a hundred times as long.
    var folderOfFile: String {
        let folder = lastIndex(of: "/").map { String(self[..<$0]) }
        return folder.map { $0.isEmpty ? "/" : $0 } ?? "."
    }
}

/// The path of an open file, and whether it still leads to that file.
///
/// Every commit checks this, so the path is resolved again only if the result may differ. Renaming or replacing a file
/// updates its change time; a commit does not, because it writes to the log.
///
/// Moving a folder above the file does not change the file. It is detected at most ``checkLifetime`` later.
struct FilePlace {
    let path: String
    let identity: FileIdentity
    private var lastLook: Look?

    /// The last check at which the path led to the file.
    private struct Look {
        let time: timespec
        /// The file's change time.
        let change: timespec
    }

    /// Nanoseconds for which a check is valid.
    private static let checkLifetime = 10_000_000

    init(path: String, identity: FileIdentity) {
        self.path = path
        self.identity = identity
    }

    /// Whether the path still leads to the file. Costs one system call, or two, one of which resolves the path.
    mutating func leads(to file: Presence) -> Bool {
        var now = timespec()
        // The clock that the system uses for change times.
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        let change = file.status?.st_ctim
        if let lastLook, let change, change == lastLook.change, (0..<Self.checkLifetime).contains(now - lastLook.time) {
            return true
        }
        lastLook = nil
        guard FileIdentity(ofFile: path) == identity else { return false }
        // A change within the current clock tick would leave the same time.
        if let change, now - change > 0 { lastLook = Look(time: now, change: change) }
        return true
    }
}

extension timespec {
    fileprivate static func == (one: timespec, other: timespec) -> Bool {
        one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec
    }

    /// The difference in nanoseconds, clamped to the range of `Int`.
    fileprivate static func - (one: timespec, other: timespec) -> Int {
        let (seconds, isFar) = (one.tv_sec &- other.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return isFar ? (one.tv_sec < other.tv_sec ? .min : .max) : seconds &+ (one.tv_nsec - other.tv_nsec)
    }
}
