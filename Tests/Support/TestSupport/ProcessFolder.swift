import Foundation

/// A folder that a test and the processes that it starts find alike: only the test's process id is known to both.
public struct ProcessFolder: Sendable {
    private let name: String

    public init(_ name: String) { self.name = name }

    /// The folder of the test.
    public var own: URL { url(of: getpid()) }

    /// In a child: the folder of the test that has started it.
    public var ofParent: URL { url(of: getppid()) }

    /// Creates the test's folder.
    public func make() throws -> URL {
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        return own
    }

    /// Removes the test's folder.
    public func remove() { try? FileManager.default.removeItem(at: own) }

    private func url(of process: Int32) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "yap-\(name)-\(process)")
    }
}
