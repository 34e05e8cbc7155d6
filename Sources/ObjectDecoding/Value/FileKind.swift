/// What bytes are, by their beginning: for the name of a file that is made of them.
package struct FileKind: Hashable, Sendable {
    /// The ending of the name, without the dot.
    package let ending: String
    /// A word for it.
    package let words: String

    /// O(n) for text, else O(1).
    package init(_ bytes: [UInt8]) {
        if let image = ImageHeader(bytes) {
            ending = image.kind == .jpeg ? "jpg" : image.kind.rawValue.lowercased()
            words = image.words
            return
        }
        if let known = Self.known.first(where: { bytes.starts(with: $0.start) }) {
            (ending, words) = (known.ending, known.words)
        } else if let first = bytes.first, String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) {
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): (ending, words) = ("json", "JSON")
            case UInt8(ascii: "<"): (ending, words) = ("xml", "XML")
            default: (ending, words) = ("txt", "text")
            }
        } else {
            (ending, words) = ("bin", "bytes")
        }
    }

    private static let known: [(start: [UInt8], ending: String, words: String)] = [
        (Array("bplist0".utf8), "plist", "a property list"), (Array("%PDF-".utf8), "pdf", "a PDF"),
        ([0x1F, 0x8B], "gz", "gzip"), ([0x50, 0x4B, 0x03, 0x04], "zip", "a zip archive"),
        (Array("OggS".utf8), "ogg", "Ogg"), ([0x49, 0x44, 0x33], "mp3", "MP3"),
        (Array("SQLite format 3".utf8), "sqlite", "a database"),
    ]
}
