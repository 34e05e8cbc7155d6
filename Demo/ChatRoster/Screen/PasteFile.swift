import Foundation

/// A paste as a file beside the chat's own, with the same rights: those of the machine who can read the chat can read it.
enum PasteFile {
    /// - Returns: its path.
    /// - Throws: ``CannotBeStored``, after which there is no file.
    static func store(_ text: String, beside chat: URL, at date: Date = Date()) throws -> String {
        let name = chat.deletingPathExtension().lastPathComponent
        let time = ChatDates.inName.string(from: date)
        let start = chat.deletingLastPathComponent().appending(path: "\(name)-paste-\(time)").path
        var number = 1
        var path: String { start + (number == 1 ? "" : "-\(number)") + ".txt" }
        var descriptor = create(path)
        while descriptor < 0, errno == EEXIST, number < 100 {
            number += 1
            descriptor = create(path)
        }
        guard descriptor >= 0 else { throw CannotBeStored(path: path, number: errno) }
        defer { close(descriptor) }
        var facts = stat()
        if stat(chat.path, &facts) == 0 { fchmod(descriptor, facts.st_mode & 0o666) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                unlink(path)
                throw CannotBeStored(path: path, number: number)
            }
            rest = rest.dropFirst(count)
        }
        return path
    }

    private static func create(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
}

struct CannotBeStored: Error, CustomStringConvertible {
    let path: String
    let number: Int32
    var description: String { "\(path) cannot be written: \(String(cString: strerror(number)))." }
}
