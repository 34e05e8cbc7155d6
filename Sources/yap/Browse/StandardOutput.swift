import Foundation

/// Standard output, written in large pieces. Who stops reading, as `head` does, ends the process by SIGPIPE, silently.
final class StandardOutput {
    private var waiting: [UInt8] = []
    private static let piece = 1 << 16

    /// Writes what a body gives, also what it gave before it failed.
    static func whole<Value>(_ body: (StandardOutput) throws -> Value) throws -> Value {
        let output = StandardOutput()
        let result = Result { try body(output) }
        if case .failure = result { try? output.flush() } else { try output.flush() }
        return try result.get()
    }

    func write(_ bytes: [UInt8]) throws {
        waiting += bytes
        if waiting.count >= Self.piece { try flush() }
    }

    func flush() throws {
        var rest = waiting[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                throw Failure.ofSystem("Standard output cannot be written")
            }
            rest = rest.dropFirst(max(0, count))
        }
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Prints a text whole, or says why not: `print` says nothing.
func printText(_ text: String) throws { try StandardOutput.whole { try $0.write(Array(text.utf8)) } }
