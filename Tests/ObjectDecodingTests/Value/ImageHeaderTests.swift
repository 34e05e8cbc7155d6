import ObjectDecoding
import SeededRandom
import Testing

@Suite struct ImageHeaderTests {
    private static let images: [(String, [UInt8])] = [
        (
            "PNG 640 × 480",
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
                + [0, 0, 2, 0x80, 0, 0, 1, 0xE0, 8, 6, 0, 0, 0]
        ),
        ("GIF 3 × 258", Array("GIF89a".utf8) + [3, 0, 2, 1, 0, 0, 0]),
        (
            "JPEG 32 × 16",
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 16, 0, 32, 1, 1, 0x11, 0]
        ),
        (
            "WebP 2 × 3",
            Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0]
        ),
        (
            "WebP 5 × 7",
            Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2F, 4, 0x80, 1, 0]
        ),
        (
            "WebP 9 × 8",
            Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8 ".utf8)
                + [10, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 9, 0, 8, 0]
        ),
    ]

    @Test func kindAndSizeAreRead() {
        for (words, bytes) in Self.images { #expect(ImageHeader(bytes)?.words == words) }
        #expect(FileKind(Self.images[2].1).ending == "jpg" && FileKind(Array("{}".utf8)).ending == "json")
        #expect(FileKind([]).ending == "bin" && FileKind(Array("bplist00".utf8)).ending == "plist")
    }

    /// An image is not decoded, which is no error: its line says what it is.
    @Test func anImageIsKnownAsOne() {
        for (_, bytes) in Self.images {
            let object = ObjectDecoder().decode(bytes)
            guard object.formats == [.hex] else { continue }
            let line = DecodedOutline(object.value, folding: Folding()).line(0)
            #expect(object.error == nil && line.kind == .bytes && line.text.contains(" image, "), "\(line)")
        }
        let png = ObjectDecoder().decode(Self.images[0].1)
        let line = DecodedOutline(png.value, folding: Folding()).line(0)
        #expect(line.text == "PNG image, 640 × 480, \(Self.images[0].1.count) bytes")
        #expect(png.json.hasPrefix(#"{"$hex":"89504e47"#) && !png.json.contains("error"))
        // Other bytes are unknown, and said to be.
        let unknown = DecodedOutline(ObjectDecoder().decode([0xFF, 0xFE, 0]).value, folding: Folding()).line(0)
        #expect(unknown.kind == .error)
    }

    /// Whatever the bytes are: an answer, and no more than the bytes are read.
    @Test func damagedBytesAreNoImageOrOneOfAnySize() {
        var random = SplitMix64(seed: 46)
        for (_, bytes) in Self.images {
            for length in 0...bytes.count { _ = ImageHeader(Array(bytes.prefix(length))) }
            for _ in 0..<2_000 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                if let header = ImageHeader(damaged) { #expect(header.width > 0 && header.height > 0) }
            }
        }
        // Segments of the least length up to the end.
        #expect(ImageHeader([0xFF, 0xD8] + Array(repeating: [0xFF, 0xE1, 0, 2], count: 10_000).flatMap { $0 }) == nil)
        #expect(ImageHeader([0xFF, 0xD8] + Array(repeating: 0xFF, count: 10_000)) == nil)
    }
}
