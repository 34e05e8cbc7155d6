import ByteFormats
import Foundation

/// An output of JSON as bytes: values in the form that ``DecodedValue/appendJSON(to:)`` describes, and any text around
/// them.
package struct JSONOutput {
    package var bytes: [UInt8] = []
    /// Whether characters that could control a terminal are written as escapes.
    package let isTerminalSafe: Bool
    /// Whether a mark was written for something missing.
    package var isPartial = false
    /// The error that `drain` threw, if any.
    package private(set) var failure: (any Error)?
    /// Receives the bytes written so far and removes them from the buffer. Each piece ends between two characters.
    private let drain: (([UInt8]) throws -> Void)?

    /// The number of buffered bytes at which `drain` is called.
    package static let pieceBytes = 1 << 20
    /// The most bytes of one text or data that are written at once.
    private static let leafBytes = 3 << 16

    /// - Parameter drain: receives the bytes in pieces, so that memory stays bounded; nil keeps them all.
    package init(isTerminalSafe: Bool, drain: (([UInt8]) throws -> Void)? = nil) {
        self.isTerminalSafe = isTerminalSafe
        self.drain = drain
    }

    var isStreaming: Bool { drain != nil }

    /// Passes the buffered bytes to `drain`.
    package mutating func flush() {
        guard let drain, !bytes.isEmpty else { return }
        if failure == nil {
            do { try drain(bytes) } catch { failure = error }
        }
        bytes.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    private mutating func checkSize() { if bytes.count >= Self.pieceBytes { flush() } }

    @inline(__always) package mutating func append(_ text: StaticString) {
        // Half of the texts are one character.
        if text.utf8CodeUnitCount == 1 { return bytes.append(text.utf8Start.pointee) }
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func append(_ integer: some FixedWidthInteger & Sendable) {
        guard var rest = UInt64(exactly: integer) else { return bytes.append(contentsOf: String(integer).utf8) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var place = digits.count
            repeat {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
        }
    }

    package mutating func append(double: Double) { bytes.appendJSON(double) }

    /// Appends a string of valid UTF-8.
    package mutating func append(string text: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        if text.count <= Self.leafBytes {
            bytes.appendEscaped(text, isTerminalSafe: isTerminalSafe)
        } else {
            eachPiece(of: text, isText: true) { $0.bytes.appendEscaped($1, isTerminalSafe: $0.isTerminalSafe) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func append(string text: String) {
        var text = text
        text.withUTF8 { append(string: UnsafeRawBufferPointer($0)) }
    }

    package mutating func append(base64 data: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        eachPiece(of: data, isText: false) { Base64.append($1, to: &$0.bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends undecodable bytes.
    /// - Parameter size: the number of all bytes, if these are only the first.
    package mutating func append(undecoded data: UnsafeRawBufferPointer, of size: Int? = nil, error: String?) {
        append("{\"$hex\":\"")
        eachPiece(of: data, isText: false) { Hex.append($1, to: &$0.bytes) }
        append("\"")
        if let size {
            append(",\"$size\":")
            append(size)
        }
        if let error {
            append(",\"error\":")
            append(string: error)
        }
        append("}")
    }

    /// Calls `body` with pieces that end between characters or, for data, after a multiple of three bytes, as base64
    /// requires.
    private mutating func eachPiece(
        of bytes: UnsafeRawBufferPointer, isText: Bool, _ body: (inout JSONOutput, UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        repeat {
            var end = min(start + Self.leafBytes, bytes.count)
            while isText, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            body(&self, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            checkSize()
            start = end
        } while start < bytes.count
    }
}

extension JSONOutput: ValueSink {
    mutating func null() { append("null") }
    mutating func bool(_ bool: Bool) { append(bool ? "true" : "false") }
    mutating func integer(_ integer: Int64) { append(integer) }
    mutating func double(_ double: Double) { bytes.appendJSON(double) }
    mutating func number(_ number: JSONNumber) { bytes.append(contentsOf: number.text) }
    mutating func text(_ text: UnsafeRawBufferPointer) {
        append(string: text)
        checkSize()
    }
    mutating func data(_ data: UnsafeRawBufferPointer) {
        append("{\"$data\":")
        append(base64: data)
        append("}")
    }
    mutating func date(_ seconds: Double) {
        append("{\"$date\":\"")
        if ISODate.append(seconds, to: &bytes) {
            append("\"")
        } else {
            bytes.removeLast("$date\":\"".utf8.count)
            append("$secondsSince2001\":")
            bytes.appendJSON(seconds)
        }
        append("}")
    }
    mutating func uuid(_ uuid: UUID) {
        append("{\"$uuid\":\"")
        bytes.append(uuid.uuidString)
        append("\"}")
    }
    mutating func url(_ text: UnsafeRawBufferPointer) {
        append("{\"$url\":")
        append(string: text)
        append("}")
    }
    mutating func reference(_ path: ValuePath) {
        append("{\"$ref\":")
        append(string: path.description)
        append("}")
    }

    mutating func beginList(isSet: Bool) { append(isSet ? "{\"$set\":[" : "[") }
    mutating func element(isFirst: Bool) {
        if !isFirst { append(",") }
        checkSize()
    }
    mutating func endList(isSet: Bool) { append(isSet ? "]}" : "]") }
    mutating func beginDictionary() { append("{") }
    mutating func beginObject(className: UnsafeRawBufferPointer) {
        append("{\"$class\":")
        append(string: className)
    }
    /// Appends a key. A key of the data itself that begins with `$` gets one more.
    mutating func key(_ key: UnsafeRawBufferPointer, isFirst: Bool) {
        append(isFirst ? "\"" : ",\"")
        if key.first == UInt8(ascii: "$") { append("$") }
        bytes.appendEscaped(key, isTerminalSafe: isTerminalSafe)
        append("\":")
        checkSize()
    }
    mutating func endFields() { append("}") }
}
