import FileEngine
import SQLiteBridge

/// A file that a commit promised to delete: until that is done, `yap2` has it under the name of the relationship whose rule says so.
///
///     key     removal:URL
///     value   device and inode of the file, in decimal
///
/// The file at the URL is deleted only while it is that one: what a program puts in its place is another.
struct PendingFile: Hashable, Sendable {
    let url: String
    let identity: String

    init(url: String, identity: String) { (self.url, self.identity) = (url, identity) }
}

extension Store {
    private static let removalKey = "removal:"

    /// The files that are still to be deleted.
    func pendingFiles(extension name: String) throws -> [PendingFile] {
        try all(
            #"SELECT "key", "data" FROM "yap2" WHERE "extension" = ? AND "key" > 'removal:' AND "key" < 'removal;'"#,
            bind: { try $0.bind(name, at: 1) }
        ) {
            PendingFile(
                url: String(($0.text(at: 0) ?? "").dropFirst(Self.removalKey.count)), identity: $0.text(at: 1) ?? "")
        }
    }

    func addPendingFile(_ file: PendingFile, extension name: String) throws {
        try setYapValue(.text(file.identity), extension: name, key: Self.removalKey + file.url)
    }

    func removePendingFile(_ file: PendingFile, extension name: String) throws {
        guard try yapText(extension: name, key: Self.removalKey + file.url) == file.identity else { return }
        try removeYapValue(extension: name, key: Self.removalKey + file.url)
    }
}
