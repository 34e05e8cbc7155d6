import Foundation

/// Standard output, written in large pieces. If its reader closes it, as `head` does, SIGPIPE ends the process without
/// a message.
final class StandardOutput {
    private var waiting: [UInt8] = []
    private static let piece = 1 << 16
    /// Whether the output is a terminal.
    let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Writes the output of a body, including what it wrote before an error.
    static func whole<Value>(_ body: (StandardOutput) throws -> Value) throws -> Value {
        let output = StandardOutput()
        let result = Result { try body(output) }
        if case .failure = result { try? output.flush() } else { try output.flush() }
        return try result.get()
    }

    func write(_ bytes: [UInt8]) throws {
        if waiting.count + bytes.count >= Self.piece {
            try flush()
            if bytes.count >= Self.piece { return try put(bytes) }
        }
        waiting += bytes
    }

    func flush() throws {
        try put(waiting)
        waiting.removeAll(keepingCapacity: true)
    }

    private func put(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                throw Failure.ofSystem("Standard output cannot be written")
            }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Prints a whole text, or throws: `print` ignores errors.
func printText(_ text: String) throws { try StandardOutput.whole { try $0.write(Array(text.utf8)) } }
