import Foundation

/// Returns the path of an executable of this package, which is built beside the tests.
public func builtProduct(_ name: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
}
