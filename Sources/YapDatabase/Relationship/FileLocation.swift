import Foundation
import ListChanges

/// Where a file is, however its URL is spelled: `file:///tmp/a`, `file://localhost/tmp/./a` and `file:///tmp/%61` are one place, and so is the path
/// through a symbolic link of a folder.
///
/// A link to a file is a place of its own, as it is for what deletes files. What case means, or one accented letter in its two Unicode forms, is up to
/// the file system, and counts as a difference here.
struct FileLocation: Hashable {
    /// The folder without symbolic links. As it is given if it does not exist, because no file is in it then.
    private let folder: ExactString
    let name: ExactString

    /// Nil for what is no URL of a file.
    init?(_ url: URL) {
        var folders = RealFolders()
        self.init(url, &folders)
    }

    /// - Parameter folders: what is known of folders, for many locations.
    init?(_ url: URL, _ folders: inout RealFolders) {
        guard url.isFileURL else { return nil }
        let path = url.path
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        folder = folders.real(ExactString(String(path[...slash])))
        name = ExactString(String(path[path.utf8.index(after: slash)...]))
    }

    /// The name in the bytes of a URL, without a look at the disk; nil if it cannot be read so.
    static func name(inURL bytes: UnsafeRawBufferPointer) -> ExactString? {
        var path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
        let text = String(decoding: name, as: UTF8.self)
        return name.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding.map(ExactString.init) : ExactString(text)
    }
}

/// The folders without symbolic links, each asked for once.
struct RealFolders {
    private var known: [ExactString: ExactString] = [:]

    fileprivate mutating func real(_ folder: ExactString) -> ExactString {
        if let real = known[folder] { return real }
        var real = folder
        if let path = realpath(folder.text, nil) {
            real = ExactString(String(cString: path))
            free(path)
        }
        known[folder] = real
        return real
    }
}
