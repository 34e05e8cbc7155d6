import FileEngine
import Foundation

/// Rows that arrived and wait to be written in one transaction: in memory while they are few, then in a file without a name, in the
/// folder of the file that gets them. The folder for temporary files is memory on many systems.
///
/// So a slow connection holds no lock of the database, and a large space takes no memory.
final class RowSpool {
    private(set) var count = 0
    private(set) var removals = 0
    /// The rows that came last and are still in memory, and the bytes that they take.
    private var rows: [ServerRow] = []
    private var bytes = 0
    /// The blocks in the file: their places and sizes.
    private var blocks: [(place: Int, size: Int)] = []
    private var file: TemporaryFile?
    private let folder: String

    /// Bytes that stay in memory.
    private static let blockBytes = 4 << 20

    /// - Parameter path: the file that gets the rows.
    init(beside path: String) { folder = URL(filePath: path).deletingLastPathComponent().path }

    func append(_ row: ServerRow) throws {
        rows.append(row)
        bytes += row.size
        count += 1
        if row.isGone { removals += 1 }
        if bytes >= Self.blockBytes { try store() }
    }

    /// Calls the body with each row, in the order in which they came. May be called several times.
    func forEach(_ body: (ServerRow) throws -> Void) throws {
        for block in blocks {
            var reader = ByteReader(try load(block)[...])
            while !reader.isAtEnd {
                guard let row = ServerRow(&reader) else { throw damaged }
                try body(row)
            }
        }
        for row in rows { try body(row) }
    }

    private func store() throws {
        let file = try self.file ?? TemporaryFile(inFolder: folder)
        self.file = file
        var block = ByteWriter()
        for row in rows { row.write(to: &block) }
        blocks.append((file.size, block.bytes.count))
        try block.bytes.withUnsafeBytes { try file.append($0) }
        (rows, bytes) = ([], 0)
    }

    private func load(_ place: (place: Int, size: Int)) throws -> [UInt8] {
        guard let file else { throw damaged }
        return try [UInt8](unsafeUninitializedCapacity: place.size) { bytes, count in
            try file.read(into: UnsafeMutableRawBufferPointer(bytes), at: place.place)
            count = place.size
        }
    }

    private var damaged: YapDatabaseError {
        YapDatabaseError(.inputOutput, "Rows of the server that were kept in a temporary file cannot be read.")
    }
}
