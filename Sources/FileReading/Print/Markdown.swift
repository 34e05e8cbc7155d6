import ByteFormats

/// Writes rows of a table of GitHub Flavored Markdown. What is shown is the text itself: signs that mean something are escaped.
enum Markdown {
    /// The line with the names, and the one below it that makes it a table.
    static func head(_ names: [String]) -> [UInt8] {
        line(names) + Array(("|" + names.map { _ in " --- |" }.joined() + "\n").utf8)
    }

    static func line(_ fields: [String]) -> [UInt8] {
        var line: [UInt8] = [UInt8(ascii: "|")]
        for field in fields { Array(field.utf8).withUnsafeBytes { append($0, to: &line) } }
        line.append(0x0A)
        return line
    }

    /// Appends a field with the bar behind it. A line break becomes `<br>`, another unsafe character is made visible.
    static func append(_ field: UnsafeRawBufferPointer, to line: inout [UInt8]) {
        line.append(0x20)
        var safe: [UInt8] = []
        for (place, part) in field.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if place > 0 {
                append(escaped: safe, to: &line)
                line += Array("<br>".utf8)
                safe = []
            }
            TerminalSafe.append(line: UnsafeRawBufferPointer(rebasing: part), to: &safe)
        }
        append(escaped: safe, to: &line)
        line += [0x20, UInt8(ascii: "|")]
    }

    private static func append(escaped bytes: [UInt8], to line: inout [UInt8]) {
        for byte in bytes {
            if special.contains(byte) { line.append(UInt8(ascii: "\\")) }
            line.append(byte)
        }
    }

    private static let special = Set("\\|`*_<>[]~&$".utf8)
}
