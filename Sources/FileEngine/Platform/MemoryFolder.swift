import Foundation

/// A folder in the machine's memory, for a database without a file on a disk: a file system of the kind tmpfs.
///
/// A lock on the folder shows that its process runs. It ends with the process, however that ends, and the next folder that is made on the
/// machine removes those without one.
package final class MemoryFolder: Sendable {
    package let path: String
    /// Holds the lock; below 0 once the folder was removed.
    private let descriptor: Locked<Int32>

    /// How often a name is tried: another process may remove a folder that is not locked yet.
    private static let attempts = 100
    private static var prefix: String { "yap-memory-\(geteuid())-" }

    /// - Throws: ``YapDatabaseError`` with code `cannotOpen` if the machine has no file system in memory that can be written.
    package init() throws {
        let parents = Self.parents
        for parent in parents {
            Self.removeLeftOvers(in: parent)
            for _ in 0..<Self.attempts {
                guard let path = Self.makeFolder(in: parent) else { break }
                guard let descriptor = Self.lock(path) else { continue }
                self.path = path
                self.descriptor = Locked(descriptor)
                return
            }
        }
        throw YapDatabaseError(
            .cannotOpen,
            "A database in memory needs a file system in memory (tmpfs) that this user can write: /dev/shm, or the folder that "
                + "XDG_RUNTIME_DIR names. Mount one, or open a file in a temporary folder instead.")
    }

    deinit { remove() }

    /// Removes the folder with all that is in it. Files that are open keep their contents until they are closed.
    package func remove() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            Self.removeContents(of: path)
            close(descriptor)
            descriptor = -1
        }
    }

    /// Folders in memory, the first choice first.
    private static var parents: [String] {
        let folders = ["/dev/shm", getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }].compactMap(\.self)
        return folders.filter { isInMemory($0) && access($0, W_OK | X_OK) == 0 }
    }

    /// Whether a folder is where a file system in memory is mounted, or below. Swift cannot call `statfs`.
    private static func isInMemory(_ folder: String) -> Bool {
        guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else { return false }
        var (length, kind) = (0, Substring())
        // If two are mounted at one place, the later one hides the other.
        for mount in mounts.split(separator: "\n").map({ $0.split(separator: " ") }) where mount.count > 2 {
            let place = mount[1] == "/" ? "" : mount[1]
            guard place.utf8.count >= length, folder == place || folder.hasPrefix("\(place)/") else { continue }
            (length, kind) = (place.utf8.count, mount[2])
        }
        return kind == "tmpfs"
    }

    private static func makeFolder(in parent: String) -> String? {
        var name = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { return nil }
        return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Locks a folder, unless another process has locked it or is removing it.
    /// - Returns: the open folder; nil if it is another's, or gone.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var (opened, named) = (stat(), stat())
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0, lstat(path, &named) == 0,
            FileIdentity(opened) == FileIdentity(named), opened.st_uid == geteuid()
        {
            return descriptor
        }
        close(descriptor)
        return nil
    }

    /// Removes the folders of processes that ended without closing their databases.
    private static func removeLeftOvers(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let descriptor = lock(path) else { continue }
            removeContents(of: path)
            close(descriptor)
        }
    }

    private static func removeContents(of path: String) { try? FileManager.default.removeItem(atPath: path) }
}
