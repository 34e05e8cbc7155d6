import FileReading
import Foundation

/// Reads the lines of a file, many at a time.
struct LineBlocks {
    let path: String
    /// The bytes to read at once.
    private static let portion = 1 << 18
    /// The most bytes of a line that cannot be one of an export. It may have no end, as /dev/zero has none.
    private static let strangeLimit = 1 << 24

    /// Calls `body` with blocks of whole lines and their line breaks; the last line may have none.
    /// - Parameter whileWaiting: called before a wait for a writer that has not written more yet.
    func forEach(whileWaiting: () throws -> Void, _ body: (consuming [UInt8]) throws -> Void) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure.ofSystem("\(path) cannot be read") }
        defer { close(file) }
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.portion)
        defer { buffer.deallocate() }
        var block: [UInt8] = []
        var isFirst = true
        while true {
            let start = block.count
            var input = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            if poll(&input, 1, 0) == 0 { try whileWaiting() }
            let count = try read(file, into: buffer)
            if count == 0 { break }
            block.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
            // Searches only the new part, so that a very long line is scanned once.
            guard let end = block[start...].lastIndex(of: 0x0A) else {
                // The first line of an export is short, and each is an object. What it is instead is said as of any wrong line.
                if block.count > Self.strangeLimit, isFirst || block.first != UInt8(ascii: "{") { break }
                continue
            }
            isFirst = false
            let rest = Array(block[(end + 1)...])
            block.removeSubrange((end + 1)...)
            try body(consume block)
            block = rest
        }
        if !block.isEmpty { try body(consume block) }
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
