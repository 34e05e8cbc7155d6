import FileEngine
import Foundation

/// A file that appears under its name when it is whole. Only its user can read it: it has what is in a private database.
package final class NewFile {
    /// Thrown where there is a file already.
    package struct Exists: Error {}

    private let path: String
    private let unfinished: String
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    private var isFinished = false
    private static let piece = 1 << 16

    /// Makes an unfinished file in the same folder.
    package init(_ path: String) throws {
        self.path = path
        let url = URL(filePath: path)
        let folder = url.deletingLastPathComponent().path
        unfinished = "\(folder)/.yap-\(UUID().uuidString)"
        descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("\(path) cannot be written") }
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(unfinished) }
    }

    package func write(_ bytes: [UInt8]) throws {
        waiting += bytes
        if waiting.count >= Self.piece { try put() }
    }

    private func put() throws {
        var rest = waiting[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw Self.failure("\(path) cannot be written") }
            rest = rest.dropFirst(max(0, count))
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Gives the file its name.
    /// - Throws: ``Exists`` if there is one and it is not to be replaced.
    package func finish(replaces: Bool) throws {
        try put()
        if replaces {
            guard rename(unfinished, path) == 0 else { throw Self.failure("\(path) cannot be replaced") }
        } else if link(unfinished, path) == 0 {
            unlink(unfinished)
        } else if errno == EEXIST {
            throw Exists()
        } else {
            // A file system without links.
            guard access(path, F_OK) != 0 else { throw Exists() }
            guard rename(unfinished, path) == 0 else { throw Self.failure("\(path) cannot be written") }
        }
        isFinished = true
    }

    private static func failure(_ what: String) -> YapDatabaseError {
        YapDatabaseError(.inputOutput, "\(what): \(String(cString: strerror(errno))). Choose another name.")
    }
}
