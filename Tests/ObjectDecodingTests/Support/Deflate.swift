import CZlib

/// Compressed bytes, by zlib itself.
enum Deflate {
    static func gzip(_ content: [UInt8]) throws -> [UInt8] { try deflated(content, windowBits: 15 + 16) }
    static func zlib(_ content: [UInt8]) throws -> [UInt8] { try deflated(content, windowBits: 15) }

    struct Failed: Error {
        let status: Int32
    }

    private static func deflated(_ content: [UInt8], windowBits: Int32) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        var status = deflateInit2_(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard status == Z_OK else { throw Failed(status: status) }
        defer { deflateEnd(&stream) }
        var (input, output) = (content, [UInt8](repeating: 0, count: content.count + content.count / 100 + 1_000))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                status = deflate(&stream, Z_FINISH)
                return Int(stream.total_out)
            }
        }
        guard status == Z_STREAM_END else { throw Failed(status: status) }
        return Array(output.prefix(count))
    }
}
