import Foundation

/// The number by which the system knows this thread.
func currentThreadNumber() -> Int32 {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return path.flatMap { Int32($0.split(separator: "/").last ?? "") } ?? 0
}
