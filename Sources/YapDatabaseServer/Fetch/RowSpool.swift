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
    private var file: TemporaryFile?

    /// Bytes that stay in memory.
    private static let blockBytes = 4 << 20

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
        let file = try self.file ?? TemporaryFile(inFolder: FileManager.default.temporaryDirectory.path)
        self.file = file
        blocks.append((file.size, block.bytes.count))
        try block.bytes.withUnsafeBytes { try file.append($0) }
        block = ByteWriter()
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
