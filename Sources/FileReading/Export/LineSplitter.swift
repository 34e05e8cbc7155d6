/// Cuts what is read of an export into blocks of whole lines. Of a line that cannot be one of an export, no more is kept than says so.
package struct LineSplitter {
    /// The most bytes of a line. A row has at most 1,000,000,000, which are a third more in Base64, and are there twice: what they mean is for people.
    private let limit: Int
    /// The most bytes of a line that cannot be one of an export. It may have no end, as /dev/zero has none.
    private let strangeLimit: Int
    private var block: [UInt8] = []
    private var isFirst = true
    /// Whether the line that is being read cannot be one of an export, so that nothing more need be read.
    package private(set) var isStrange = false

    package init(limit: Int = 1 << 32, strangeLimit: Int = 1 << 24) {
        (self.limit, self.strangeLimit) = (limit, strangeLimit)
    }

    /// Adds what was read.
    /// - Returns: whole lines and their line breaks; nil if none has ended.
    /// - Throws: ``LongLine`` if a line is too long for any row.
    package mutating func add(_ portion: UnsafeBufferPointer<UInt8>) throws -> [UInt8]? {
        let start = block.count
        block.append(contentsOf: portion)
        // Searches only the new part, so that a very long line is scanned once.
        guard let end = block[start...].lastIndex(of: 0x0A) else {
            if block.count > strangeLimit { try judge(portion) }
            return nil
        }
        isFirst = false
        var lines = Array(block[(end + 1)...])
        block.removeSubrange((end + 1)...)
        swap(&lines, &block)
        return lines
    }

    /// Returns the last line if it has no line break, or what was read of one that is strange; nil if there is none.
    package mutating func end() -> [UInt8]? {
        var line: [UInt8] = []
        swap(&line, &block)
        return line.isEmpty ? nil : line
    }

    /// The first line of an export is short, and each is an object of JSON. What it is instead is said as of any wrong line.
    private mutating func judge(_ portion: UnsafeBufferPointer<UInt8>) throws {
        isStrange =
            isFirst || block.first != UInt8(ascii: "{") || portion.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }
        if block.count > limit { throw LongLine(limit: limit) }
    }
}

/// That a line is too long for any row.
package struct LongLine: Error {
    let limit: Int

    /// Returns the error with the line's number, for display.
    package func inLine(_ number: Int, of source: String) -> ImportError {
        ImportError("it has more than \(RowCount(limit)) bytes, and no row has so many").inLine(number, of: source)
    }
}
