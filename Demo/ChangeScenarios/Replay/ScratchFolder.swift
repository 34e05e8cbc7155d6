import Foundation
import Synchronization

/// A folder for throwaway databases, in memory if the system supports that.
///
/// Its user holds a lock on it, which ends with the process in any case. So each new folder first removes those that
/// are not locked: the remains of killed processes.
package final class ScratchFolder: Sendable {
    package static let prefix = "yap-scratch-"
    /// The most folder names that are tried; usually the first succeeds.
    private static let attempts = 100

    package let url: URL
    /// Holds the lock.
    private let descriptor: Int32
    private let used = Atomic(0)

    /// - Parameter parent: where the folder is created; nil for the system's memory, or else its temporary folder.
    package init(in parent: URL? = nil) throws {
        let parent = parent ?? Self.standardParent
        Self.sweep(parent)
        for _ in 0..<Self.attempts {
            let url = parent.appending(path: "\(Self.prefix)\(getpid())-\(UUID().uuidString)")
            guard mkdir(url.path, 0o700) == 0 else { throw ReplayError("The folder \(url.path) cannot be made") }
            if let descriptor = Self.lock(url.path) {
                (self.url, self.descriptor) = (url, descriptor)
                return
            }
            // Another process took the folder for an abandoned one in the moment before the lock.
            rmdir(url.path)
        }
        throw ReplayError("No folder can be locked in \(parent.path)")
    }

    deinit { close(descriptor) }

    /// Runs the body with a path for a database and removes the files there afterwards.
    package func withDatabaseURL<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let number = used.add(1, ordering: .relaxed).newValue
        let file = url.appending(path: "\(number).sqlite")
        let result = Result { try body(file) }
        for suffix in ["", "-wal", "-shm"] where unlink(file.path + suffix) != 0 && errno != ENOENT {
            throw ReplayError("\(file.path)\(suffix) cannot be removed")
        }
        return try result.get()
    }

    package func remove() throws { try FileManager.default.removeItem(at: url) }

    private static var standardParent: URL {
        let parents = [URL(filePath: "/dev/shm"), FileManager.default.temporaryDirectory]
        return parents.first { FileManager.default.isWritableFile(atPath: $0.path) } ?? parents[1]
    }
}

extension ScratchFolder {
    /// Removes the folders of ended processes. Those that cannot be removed are left for the next attempt.
    private static func sweep(_ parent: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let url = parent.appending(path: name)
            guard let descriptor = lock(url.path) else { continue }
            try? FileManager.default.removeItem(at: url)
            close(descriptor)
        }
    }

    /// Locks a folder of this user; nil if it is another user's, is locked, or was removed meanwhile.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var (opened, found) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0, lstat(path, &found) == 0,
            opened.st_ino == found.st_ino, opened.st_dev == found.st_dev, opened.st_uid == geteuid()
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}

/// Runs the body with a folder for throwaway databases and removes it afterwards, also if a signal ends the process.
///
/// - Parameter onSignal: called first when a signal arrives, on another thread.
@MainActor package func inScratchFolder<Value>(
    onSignal: @escaping @Sendable () -> Void = {}, _ body: @MainActor (ScratchFolder) throws -> Value
) throws -> Value {
    let folder = try ScratchFolder()
    let signals = EndSignals {
        onSignal()
        // Code that is using the folder at this moment may create a file again; the next attempt removes it.
        for _ in 0..<3 where (try? folder.remove()) != nil { break }
    }
    let result = Result { try body(folder) }
    try folder.remove()
    signals.cancel()
    return try result.get()
}
