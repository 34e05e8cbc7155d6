import Foundation

/// The line that holds the key of a file. Its bytes count, whatever text they are.
enum KeyLine {
    /// More than any passphrase; also what a terminal takes as one line.
    static let limit = 4_096

    static func ofFile(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.ofSystem("The key file \(path) cannot be read") }
        defer { close(descriptor) }
        return try line(descriptor, of: "The key file \(path)", readsRest: true)
    }

    /// Reads no byte after the line, and closes the descriptor.
    static func ofDescriptor(_ descriptor: Int32) throws -> [UInt8] {
        guard fcntl(descriptor, F_GETFD) >= 0 else {
            throw UsageError(
                "--key-fd \(descriptor): no such descriptor is open. A shell opens it by \(descriptor)<FILE.")
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        return try line(descriptor, of: "Descriptor \(descriptor)", readsRest: false)
    }

    private static func line(_ descriptor: Int32, of source: String, readsRest: Bool) throws -> [UInt8] {
        var line: [UInt8] = []
        while let byte = try nextByte(descriptor, source) {
            if byte == UInt8(ascii: "\n") {
                // A file of several lines is something else, and no key is cut silently.
                guard try !readsRest || nextByte(descriptor, source) == nil else {
                    throw Failure("\(source) has more than one line. A key is one.")
                }
                break
            }
            line.append(byte)
            guard line.count <= limit else { throw Failure("\(source) has no key: its line is longer than 4 KB.") }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty else { throw Failure("\(source) is empty. It needs a line with the key.") }
        return line
    }

    private static func nextByte(_ descriptor: Int32, _ source: String) throws -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count == 0 { return nil }
            if errno != EINTR { throw Failure.ofSystem("\(source) cannot be read") }
        }
    }
}
