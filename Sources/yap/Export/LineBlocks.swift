import FileReading
import Foundation

/// Reads the lines of a file, many at a time.
struct LineBlocks {
    let path: String
    /// The bytes to read at once.
    private static let portion = 1 << 18

    /// Calls `body` with blocks of whole lines and their line breaks; the last line may have none.
    /// - Parameter whileWaiting: called before a wait for a writer that has not written more yet.
    /// - Throws: ``LongLine`` for a line that is too long, after all lines before it.
    func forEach(whileWaiting: () throws -> Void, _ body: (consuming [UInt8]) throws -> Void) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure.ofSystem("\(path) cannot be read") }
        defer { close(file) }
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.portion)
        defer { buffer.deallocate() }
        var lines = LineSplitter()
        while !lines.isStrange {
            var input = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            if poll(&input, 1, 0) == 0 { try whileWaiting() }
            let count = try read(file, into: buffer)
            if count == 0 { break }
            if let block = try lines.add(UnsafeBufferPointer(rebasing: buffer[..<count])) { try body(consume block) }
        }
        if let block = lines.end() { try body(consume block) }
    }

    private func read(_ file: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
        while true {
            let count = Foundation.read(file, buffer.baseAddress, buffer.count)
            try checkInterrupt()
            if count >= 0 { return count }
            if errno != EINTR { throw Failure.ofSystem("\(path) cannot be read") }
        }
    }
}
