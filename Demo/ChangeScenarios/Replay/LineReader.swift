import Foundation

/// Reads lines of a file, a pipe or a terminal as soon as they arrive.
struct LineReader {
    private static let chunkSize = 1 << 18

    private let descriptor: Int32
    private let name: String
    private var pending: [UInt8] = []
    private var isAtEnd = false
    /// The bytes of the present line that were not kept.
    private var dropped = 0

    /// - Parameter name: the source's name for error texts.
    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Waits until there is a complete line, and returns all complete ones; nil at the end. The last line needs no line
    /// break. Of a line that is too long, only enough is kept to detect that.
    package mutating func next() throws(ReplayError) -> [[UInt8]]? {
        while !isAtEnd {
            let chunk = try read()
            isAtEnd = chunk.isEmpty
            var lines = chunk.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let rest = lines.removeLast()
            var whole: [[UInt8]] = []
            for line in lines {
                try append(line)
                whole.append(pending)
                (pending, dropped) = ([], 0)
            }
            try append(rest)
            if isAtEnd, !pending.isEmpty { whole.append(pending) }
            if !whole.isEmpty { return whole }
        }
        return nil
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(ReplayError) {
        let kept = bytes.prefix(ScenarioLine.lengthLimit + 1 - pending.count)
        pending += kept
        dropped += bytes.count - kept.count
        // As of /dev/zero.
        if dropped > Self.patience { throw ReplayError("A line of \(name) does not end", code: EFBIG) }
    }

    /// The bytes beyond the longest line that are read to find the next one.
    private static let patience = 1 << 20

    /// Returns the available bytes; none at the end.
    private func read() throws(ReplayError) -> [UInt8] {
        var result = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
            repeat {
                result = Foundation.read(descriptor, buffer.baseAddress, Self.chunkSize)
            } while result < 0 && errno == EINTR
            count = max(result, 0)
        }
        guard result >= 0 else { throw ReplayError("\(name) cannot be read") }
        return chunk
    }
}

/// Opens a file, or standard input for `-`, while its lines are read.
func withLines<Value>(of path: String, _ body: (LineReader) throws -> Value) throws -> Value {
    guard path != "-" else { return try body(LineReader(descriptor: STDIN_FILENO, name: "Standard input")) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReplayError("\(path) cannot be read") }
    defer { close(descriptor) }
    return try body(LineReader(descriptor: descriptor, name: path))
}
