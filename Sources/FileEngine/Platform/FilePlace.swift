import Foundation

/// What tells a file from every other that exists, whatever their names.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    package init(_ status: stat) { self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }

    /// Of the file that has this name now; nil when there is none.
    package init?(ofFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// The name of an open file, and what is known of where it leads.
///
/// A commit asks whether the name still leads to the file, so the answer has to be cheap: the way along the path is taken again only
/// where it may give another answer. A file that gets another name, or loses its name to another file, gets a new time of change by
/// that, and a commit by itself gives it none: it goes into the log.
///
/// A folder above the file that is moved changes nothing of the file. That is noticed at most ``patience`` after the move.
struct FilePlace {
    package let path: String
    let identity: FileIdentity
    private var lastLook: Look?

    /// When the name was last seen to lead to the file.
    private struct Look {
        let time: timespec
        /// The file's time of change.
        let change: timespec
    }

    /// Nanoseconds for which one look is trusted.
    private static let patience = 10_000_000

    package init(path: String, identity: FileIdentity) {
        self.path = path
        self.identity = identity
    }

    /// Whether the name still leads to the file. One system call, or two of which one follows the path.
    mutating func leads(to file: Presence) -> Bool {
        var now = timespec()
        // The clock from which the system takes times of change.
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        let change = file.status?.st_ctim
        if let lastLook, let change, change == lastLook.change, (0..<Self.patience).contains(now - lastLook.time) {
            return true
        }
        lastLook = nil
        guard FileIdentity(ofFile: path) == identity else { return false }
        // What changes the file within this tick of the clock leaves the same time.
        if let change, now - change > 0 { lastLook = Look(time: now, change: change) }
        return true
    }
}

extension timespec {
    fileprivate static func == (one: timespec, other: timespec) -> Bool {
        one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec
    }

    /// Nanoseconds; those of times that are far apart stop at the limits of `Int`.
    fileprivate static func - (one: timespec, other: timespec) -> Int {
        let (seconds, isFar) = (one.tv_sec &- other.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return isFar ? (one.tv_sec < other.tv_sec ? .min : .max) : seconds &+ (one.tv_nsec - other.tv_nsec)
    }
}
