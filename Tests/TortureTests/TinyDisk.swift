import Foundation
import TortureLedger

/// A file system in memory with little room.
enum TinyDisk {
    static let isPossible: Bool = {
        guard getuid() == 0, let folder = try? make() else { return false }
        remove(folder)
        return true
    }()

    static func with(_ body: (URL) throws -> Void) throws {
        let folder = try make()
        defer { remove(folder) }
        try body(folder)
    }

    private static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yap-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=16m") == 0 else {
            try FileManager.default.removeItem(at: folder)
            throw Broken("mount: \(String(cString: strerror(errno)))")
        }
        return folder
    }

    private static func remove(_ folder: URL) {
        umount2(folder.path, Int32(MNT_DETACH))
        rmdir(folder.path)
    }
}
