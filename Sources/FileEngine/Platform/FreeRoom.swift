import Foundation

/// Returns how many bytes this user can still write on the file system of a file; 0 if that is not known.
package func freeRoom(at path: String) -> UInt64 {
    var space = statvfs()
    guard statvfs(path, &space) == 0 else { return 0 }
    let (bytes, isBeyond) = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
    return isBeyond ? .max : bytes
}
