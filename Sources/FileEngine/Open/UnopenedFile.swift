import Foundation
import SQLiteBridge

/// Inspects a database file before SQLite opens it, so that a refused file stays unchanged and no file appears beside it.
package struct UnopenedFile {
    private let path: String
    /// The first 100 bytes, which are the header of an SQLite file.
    private let header: [UInt8]
    private let size: Int
    /// Whether a log or journal has content, or had when the header was read. Pages that the file lacks may be there, where only SQLite can read
    /// them; and the last process to close the file copies the log into it, the header first, and then removes the log.
    private let hasLog: Bool

    /// Returns nil if the file does not exist or is empty.
    package init?(path: String) throws { try self.init(path: path) {} }

    /// - Parameter meanwhile: what another process does after the file was read, in tests.
    init?(path: String, meanwhile: () throws -> Void) throws {
        self.path = path
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        // Opening a pipe would block.
        guard found.st_mode & S_IFMT == S_IFREG else {
            let kind = found.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
            throw YapDatabaseError(
                .cannotOpen,
                "\(path) is \(kind), so it is not a database. It was left as it is; choose another file.")
        }
        let hadLog = Self.hasLog(beside: path)
        do {
            // From a path, not from a URL, whose first use takes a tenth of a millisecond.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                let code = errno
                throw SystemLimit.error(opening: path, code) ?? POSIXError(.init(rawValue: code) ?? .EIO)
            }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            defer { try? file.close() }
            let decoder = PageDecoders.decoder(of: path)
            let start = try [UInt8](file.read(upToCount: decoder?.pageSize ?? 100) ?? Data())
            header = start.isEmpty ? [] : decoder?.header(start) ?? start
            size = try Int(file.seekToEnd())
        } catch let error as YapDatabaseError {
            throw error
        } catch {
            throw YapDatabaseError(
                .cannotOpen, "\(path) cannot be read. Check that it is a file and that you may read it.",
                underlying: error)
        }
        // Tests the header, not the size, which was read later: another process may be creating the file.
        if header.isEmpty { return nil }
        try meanwhile()
        var now = stat()
        let isChanging =
            stat(path, &now) == 0 && (now.st_size != found.st_size || now.st_mtim.tv_nsec != found.st_mtim.tv_nsec)
        hasLog = hadLog || isChanging || Self.hasLog(beside: path)
    }

    /// A journal exists while a process creates the file, or after that process was killed.
    private static func hasLog(beside path: String) -> Bool {
        ["-wal", "-journal"].contains { suffix in
            var log = stat()
            return stat(path + suffix, &log) == 0 && log.st_size > 0
        }
    }

    func check() throws {
        try checkShape()
        if !hasLog { try Schema.checkVersion(number(at: 60), path: path) }
    }

    /// Throws unless the file is a complete SQLite file, of any program and release.
    package func checkShape() throws {
        guard header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw YapDatabaseError(
                .notADatabase,
                "\(path) is not a database: it does not begin as SQLite files do, or it is encrypted. It was left as it is; "
                    + "choose another file."
            )
        }
        guard !hasLog else { return }
        guard header.count == 100 else { throw truncated("its header is incomplete") }
        try checkSize()
    }

    /// The header's page count is valid if its writer also wrote the change counter.
    private func checkSize() throws {
        let pageSize = header[16] == 0 && header[17] == 1 ? 65_536 : Int(header[16]) << 8 | Int(header[17])
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else {
            throw YapDatabaseError(.corrupt, "\(path) is damaged: its header names pages of \(pageSize) bytes.")
        }
        let pages = number(at: 28)
        guard number(at: 24) == number(at: 92), pages > 0 else { return }
        if size < pages * pageSize { throw truncated("it should have \(pages * pageSize) bytes and has \(size)") }
    }

    private func number(at offset: Int) -> Int {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func truncated(_ reason: String) -> YapDatabaseError {
        YapDatabaseError(
            .truncated, "\(path) is cut off: \(reason). It was left as it is; restore it from a backup.")
    }
}

extension UnopenedFile {
    /// Throws unless the file and its folder can be written. A file without any write permission is read-only even for the
    /// superuser, because its owner protected it.
    static func checkWritable(path: String) throws {
        let folder = path.folderOfFile
        var found = stat()
        guard stat(folder, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else {
            throw YapDatabaseError(.cannotOpen, "The folder \(folder) does not exist. Create it, then open \(path).")
        }
        for place in [folder, path] where stat(place, &found) == 0 {
            guard found.st_mode & 0o222 != 0, access(place, W_OK) == 0 else {
                throw YapDatabaseError(
                    .readOnly,
                    "\(place) cannot be written, which SQLite needs even for reading. Make it writable, or open a "
                        + "copy.")
            }
        }
    }
}
