import Foundation

/// A file system in memory with little room. Creating one requires the superuser.
public enum TinyDisk {
    public static let isPossible: Bool = {
        guard getuid() == 0, let folder = try? make(16) else { return false }
        remove(folder)
        return true
    }()

    public static func with(megabytes: Int = 16, _ body: (URL) throws -> Void) throws {
        let folder = try make(megabytes)
        defer { remove(folder) }
        try body(folder)
    }

    /// The async form.
    public static func with(
        megabytes: Int = 16, isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Void
    ) async throws {
        let folder = try make(megabytes)
        defer { remove(folder) }
        try await body(folder)
    }

    private static func make(_ megabytes: Int) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yap-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            let reason = String(cString: strerror(errno))
            try FileManager.default.removeItem(at: folder)
            throw NoDisk(description: "mount: \(reason)")
        }
        return folder
    }

    private static func remove(_ folder: URL) {
        umount2(folder.path, Int32(MNT_DETACH))
        rmdir(folder.path)
    }
}

private struct NoDisk: Error, CustomStringConvertible {
    let description: String
}
