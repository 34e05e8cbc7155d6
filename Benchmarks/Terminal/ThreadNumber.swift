import Foundation

/// Returns the system's number of this thread.
func currentThreadNumber() -> Int32 {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return path.flatMap { Int32($0.split(separator: "/").last ?? "") } ?? 0
}
