/// The kind and the size of an image, by its first bytes: PNG, JPEG, GIF and WebP. Decodes nothing of the image.
package struct ImageHeader: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case png = "PNG"
        case jpeg = "JPEG"
        case gif = "GIF"
        case webP = "WebP"
    }

    package let kind: Kind
    /// In pixels.
    package let width: Int
    package let height: Int

    /// `PNG 640 × 480`
    package var words: String { "\(kind.rawValue) \(width) × \(height)" }

    /// - Returns: nil for bytes that do not begin like such an image with a size. O(1), for JPEG O(segments).
    package init?(_ bytes: [UInt8]) {
        let reader = ImageReader(bytes: bytes)
        let found =
            switch bytes.first {
            case 0x89: reader.png
            case 0xFF: reader.jpeg
            case UInt8(ascii: "G"): reader.gif
            case UInt8(ascii: "R"): reader.webP
            default: Optional<(Kind, Int, Int)>.none
            }
        guard let (kind, width, height) = found, width > 0, height > 0 else { return nil }
        (self.kind, self.width, self.height) = (kind, width, height)
    }
}

/// Reads numbers of untrusted bytes: what is beyond the end is nil.
private struct ImageReader {
    let bytes: [UInt8]

    typealias Found = (ImageHeader.Kind, Int, Int)

    func has(_ text: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }

    /// The number of some bytes, the least significant first.
    func little(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func big(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    var png: Found? {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), has("IHDR", at: 12),
            let width = big(16, 4), let height = big(20, 4)
        else { return nil }
        return (.png, width, height)
    }

    var gif: Found? {
        guard has("GIF87a", at: 0) || has("GIF89a", at: 0), let width = little(6, 2), let height = little(8, 2) else {
            return nil
        }
        return (.gif, width, height)
    }

    var webP: Found? {
        guard has("RIFF", at: 0), has("WEBP", at: 8) else { return nil }
        if has("VP8X", at: 12), let width = little(24, 3), let height = little(27, 3) {
            return (.webP, width + 1, height + 1)
        }
        if has("VP8L", at: 12), little(20, 1) == 0x2F, let bits = little(21, 4) {
            return (.webP, bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        if has("VP8 ", at: 12), little(23, 3) == 0x2A019D, let width = little(26, 2), let height = little(28, 2) {
            return (.webP, width & 0x3FFF, height & 0x3FFF)
        }
        return nil
    }

    /// Goes from segment to segment; each is at least four bytes long.
    var jpeg: Found? {
        guard big(0, 2) == 0xFFD8 else { return nil }
        var place = 2
        while let marker = big(place, 2), marker >> 8 == 0xFF {
            let kind = marker & 0xFF
            // A byte that fills.
            if kind == 0xFF {
                place += 1
                continue
            }
            // Behind the start of the scan there are no segments.
            guard kind != 0xDA, kind != 0xD9, let length = big(place + 2, 2), length >= 2 else { return nil }
            if (0xC0...0xCF).contains(kind), ![0xC4, 0xC8, 0xCC].contains(kind) {
                guard let height = big(place + 5, 2), let width = big(place + 7, 2) else { return nil }
                return (.jpeg, width, height)
            }
            place += 2 + length
        }
        return nil
    }
}
