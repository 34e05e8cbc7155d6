import Foundation

/// Reads files that people write. None of these is large, so a larger file is something else, or has no end.
enum SmallFile {
    /// Returns the whole file as text; bytes that are no text are replaced.
    /// - Parameters:
    ///   - limit: the most bytes, whole megabytes.
    ///   - kind: what it is, as in "a file of keys".
    /// - Throws: ``Failure`` if it cannot be read or is larger; a POSIXError with `ENOENT` if there is none.
    static func text(_ path: String, limit: Int, kind: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw POSIXError(.ENOENT) }
            throw Failure.ofSystem("\(path) cannot be read")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count >= 0 || errno == EINTR else { throw Failure.ofSystem("\(path) cannot be read") }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<max(0, count)]
            guard bytes.count <= limit else {
                throw Failure("\(path) is no \(kind): it has more than \(limit >> 20) MB.")
            }
        }
    }
}
