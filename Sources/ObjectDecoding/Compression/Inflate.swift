import ByteFormats
import CZlib

/// The only user of zlib: decompresses gzip and zlib streams.
enum Inflate {
    /// The decompressed bytes.
    struct Content {
        var bytes: [UInt8] = []
        /// Whether the stream has more than the limit allows.
        var isCut = false
    }

    /// Returns the content, or its beginning if it is larger than the limit. Throws if the stream is cut off, damaged,
    /// followed by other bytes, or needs a dictionary.
    static func content(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(DecodingError) -> Content {
        guard let begins = certainty(bytes) else {
            throw DecodingError("The bytes do not begin like compressed ones.")
        }
        guard bytes.count <= Int(UInt32.max) else { throw DecodingError("The compressed bytes are too many.") }
        var stream = z_stream()
        guard yap_inflate_init(&stream) == Z_OK else { throw DecodingError("zlib has no memory left.") }
        defer { inflateEnd(&stream) }
        // zlib does not write to its input, although its declaration allows that.
        stream.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(bytes.count)
        var content = Content()
        var status = Z_OK
        while status == Z_OK {
            // One byte more than the limit shows that there is more.
            guard content.bytes.count <= limit else {
                content.bytes.removeLast(content.bytes.count - limit)
                content.isCut = true
                return content
            }
            let room = min(max(4 * bytes.count, 4_096, content.bytes.count), limit + 1 - content.bytes.count)
            status = inflateSome(&stream, into: &content.bytes, room: room)
        }
        guard status == Z_STREAM_END else {
            let isCut = status == Z_BUF_ERROR && stream.avail_in == 0
            throw DecodingError(
                "The compressed bytes are \(isCut ? "cut off" : "damaged") after \(content.bytes.count.grouped) bytes of content.",
                begins)
        }
        guard stream.avail_in == 0 else {
            throw DecodingError("\(Int(stream.avail_in).grouped) bytes follow the compressed ones.", begins)
        }
        return content
    }

    /// Whether the bytes begin like compressed ones.
    static func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool { certainty(bytes) != nil }

    /// How surely the bytes are compressed: gzip's header is unmistakable, zlib's has only two bytes. Nil for any other
    /// bytes.
    private static func certainty(_ bytes: UnsafeRawBufferPointer) -> DecodingError.Certainty? {
        guard bytes.count > 2 else { return nil }
        if bytes[0] == 0x1f, bytes[1] == 0x8b, bytes[2] == 8 { return .sure }
        let isZlib = bytes[0] & 0x8f == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
        return isZlib ? DecodingError.Certainty.none : nil
    }

    /// Lets zlib write into new capacity at the end of the content.
    private static func inflateSome(_ stream: inout z_stream, into content: inout [UInt8], room: Int) -> Int32 {
        let start = content.count
        content.appendZeros(room)
        let status = content.withUnsafeMutableBufferPointer { buffer in
            stream.next_out = buffer.baseAddress! + start
            stream.avail_out = UInt32(room)
            return inflate(&stream, Z_NO_FLUSH)
        }
        content.removeLast(Int(stream.avail_out))
        // Without progress inflate returns Z_BUF_ERROR, so a cut stream ends the loop.
        return status
    }
}
