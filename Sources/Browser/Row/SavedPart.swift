import FileReading
import Foundation

/// What is written to a file.
enum SavedPart: Hashable, Sendable {
    /// The present list: filtered, sorted, in the present range and direction, with the shown columns.
    case list
    /// The selected value; the words say what it is.
    case value(String)

    var words: String {
        switch self {
        case .list: "the list"
        case .value(let words): words
        }
    }
}

/// A file that is being written.
struct Saving {
    let file: ListFile
    var progressText: String {
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        return "saving \(name): \(RowCount(file.rows)) rows   Esc stops"
    }
}

/// A folder that only the user can read, for the files that other programs show. Removed with what is in it.
final class OutsideFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "yap-open-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// Writes bytes to a new file. Its name has nothing of the database's.
    func file(_ bytes: [UInt8], ending: String) throws -> String {
        let path = url.appending(path: "value-\(UUID().uuidString.prefix(8)).\(ending)").path
        let file = try NewFile(path)
        try file.write(bytes)
        try file.finish(replaces: false)
        return path
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
