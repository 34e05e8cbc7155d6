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
