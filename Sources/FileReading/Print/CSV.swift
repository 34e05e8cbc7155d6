import ByteFormats

/// Writes lines according to RFC 4180.
enum CSV {
    static func line(_ fields: [String], isForTerminal: Bool = false) -> [UInt8] {
        var line: [UInt8] = []
        for (place, field) in fields.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            Array(field.utf8).withUnsafeBytes { append($0, isForTerminal: isForTerminal, to: &line) }
        }
        return line + [0x0D, 0x0A]
    }

    /// Appends a field, in quotes if it needs them.
    /// - Parameter isForTerminal: whether control characters are made visible.
    static func append(_ field: UnsafeRawBufferPointer, isForTerminal: Bool, to line: inout [UInt8]) {
        let needsQuotes = field.contains { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else {
            if isForTerminal { return TerminalSafe.append(line: field, to: &line) }
            return line.append(contentsOf: field)
        }
        line.append(quote)
        append(quoted: field, isForTerminal: isForTerminal, to: &line)
        line.append(quote)
    }

    /// Appends the content of a quoted field, or a part of it.
    static func append(quoted field: UnsafeRawBufferPointer, isForTerminal: Bool, to line: inout [UInt8]) {
        if isForTerminal {
            var safe: [UInt8] = []
            TerminalSafe.append(line: field, to: &safe)
            return safe.withUnsafeBytes { append(quoted: $0, isForTerminal: false, to: &line) }
        }
        let start = line.count
        line.appendZeros(2 * field.count)
        let end = line.withUnsafeMutableBytes { line in
            var place = start
            for byte in field {
                // Written twice; the second is overwritten unless it is a quote.
                line[place] = byte
                line[place + 1] = byte
                place += byte == quote ? 2 : 1
            }
            return place
        }
        line.removeLast(line.count - end)
    }

    private static let quote = UInt8(ascii: "\"")
}
