import Foundation

/// The state at a database's path: the bytes of the file, its log and the log's index, and the names beside them.
struct FileTrace: Equatable {
    private let names: [String]
    private let bytes: [Data?]

    init(_ url: URL) throws {
        names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).sorted()
        bytes = ["", "-wal", "-shm"].map { FileManager.default.contents(atPath: url.path + $0) }
    }
}

/// Copies a database while others have it open: those of its three files with these endings.
func copyParts(_ suffixes: [String], of source: URL, to target: URL) throws {
    for suffix in suffixes {
        try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
    }
}
