import Foundation
import Synchronization

/// A folder for throwaway databases, in memory where the system has such a place.
final class ScratchFolder: Sendable {
    let url: URL
    private let used = Atomic(0)

    init() throws {
        let parents = [URL(filePath: "/dev/shm"), FileManager.default.temporaryDirectory]
        let parent = parents.first { FileManager.default.isWritableFile(atPath: $0.path) } ?? parents[1]
        url = parent.appending(path: "yap-lab-\(getpid())-\(UUID().uuidString)")
        guard mkdir(url.path, 0o700) == 0 else { throw ReplayError("The folder \(url.path) cannot be made") }
    }

    /// Lends a place for a database and removes what is left there afterwards.
    func withDatabaseURL<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let number = used.add(1, ordering: .relaxed).newValue
        let file = url.appending(path: "\(number).sqlite")
        let result = Result { try body(file) }
        for suffix in ["", "-wal", "-shm"] where unlink(file.path + suffix) != 0 && errno != ENOENT {
            throw ReplayError("\(file.path)\(suffix) cannot be removed")
        }
        return try result.get()
    }

    func remove() throws { try FileManager.default.removeItem(at: url) }
}
