import FileEngine
import Foundation

/// Rows that arrived and wait to be written in one transaction: in memory while they are few, then in a temporary file
/// without a name.
///
/// So a slow connection holds no lock of the database, and a large space takes no memory.
final class RowSpool {
    private(set) var count = 0
    private(set) var removals = 0
    private var block = ByteWriter()
    /// The blocks in the file: their places and sizes.
    private var blocks: [(place: Int, size: Int)] = []
    private var descriptor: Int32 = -1
    private var end = 0

    /// Bytes that stay in memory.
    private static let blockBytes = 4 << 20

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ row: FetchedRow) throws {
        row.write(to: &block)
        count += 1
        if row.isGone { removals += 1 }
        if block.bytes.count >= Self.blockBytes { try store() }
    }

    /// Calls the body with each row, in the order in which they came. May be called several times.
    func forEach(_ body: (FetchedRow) throws -> Void) throws {
        for index in 0...blocks.count {
            let bytes = index < blocks.count ? try load(blocks[index]) : block.bytes
            var reader = ByteReader(bytes[...])
            while !reader.isAtEnd {
                guard let row = FetchedRow(&reader) else { throw damaged }
                try body(row)
            }
        }
    }

    private func store() throws {
        if descriptor < 0 {
            var name = Array("\(FileManager.default.temporaryDirectory.path)/yap-rows-XXXXXX".utf8CString)
            descriptor = mkstemp(&name)
            if descriptor >= 0 {
                unlink(name)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
            guard descriptor >= 0 else { throw full }
        }
        var done = 0
        while done < block.bytes.count {
            let written = block.bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + done, $0.count - done, end + done)
            }
            guard written > 0 else { throw full }
            done += written
        }
        blocks.append((end, done))
        end += done
        block = ByteWriter()
    }

    private func load(_ place: (place: Int, size: Int)) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: place.size)
        guard pread(descriptor, &bytes, place.size, place.place) == place.size else { throw damaged }
        return bytes
    }

    private var full: YapDatabaseError {
        YapDatabaseError(
            .diskFull,
            "Rows of the server cannot be kept in a temporary file: \(String(cString: strerror(errno))). Free some space."
        )
    }

    private var damaged: YapDatabaseError {
        YapDatabaseError(.inputOutput, "Rows of the server that were kept in a temporary file cannot be read.")
    }
}
