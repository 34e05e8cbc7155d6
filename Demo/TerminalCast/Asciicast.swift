import Foundation

/// A recording in asciicast v2: a line of JSON for the terminal, then one for each piece of output with its time.
struct Asciicast {
    private(set) var lines: [String]
    /// Bytes of a character whose end has not arrived.
    private var unfinished: [UInt8] = []

    init(width: Int, height: Int, title: String) {
        lines = [
            "{\"version\": 2, \"width\": \(width), \"height\": \(height), \"title\": \(Self.quoted(title)), "
                + "\"env\": {\"TERM\": \"xterm-256color\"}}"
        ]
    }

    /// Adds output. Characters are never divided; other bytes that are not UTF-8 become U+FFFD.
    mutating func add(_ bytes: [UInt8], at seconds: Double) {
        let all = unfinished + bytes
        let end = Self.endOfCharacters(all)
        unfinished = Array(all[end...])
        guard end > 0 else { return }
        let text = Self.quoted(String(decoding: all[..<end], as: UTF8.self))
        lines.append("[\(String(format: "%.6f", seconds)), \"o\", \(text)]")
    }

    /// Where the last character ends, if bytes of the next one follow.
    private static func endOfCharacters(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte < 0x80 || byte >= 0xF8 { break }
            if byte >= 0xC0 {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                return length > back ? bytes.count - back : bytes.count
            }
        }
        return bytes.count
    }

    /// Returns a string of JSON in ASCII, so that the file can be read anywhere.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: quoted += "\\\""
            case 0x5C: quoted += "\\\\"
            case 0x20..<0x7F: quoted.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default: quoted += String(format: "\\u%04x", unit)
            }
        }
        return quoted + "\""
    }
}
