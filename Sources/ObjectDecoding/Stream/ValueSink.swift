import ByteFormats
import Foundation

/// Receives the parts of JSON text from a stream.
///
/// Text is valid UTF-8; bytes are valid only during the call.
protocol JSONSink {
    mutating func null()
    mutating func bool(_ bool: Bool)
    mutating func number(_ number: JSONNumber)
    mutating func text(_ text: UnsafeRawBufferPointer)

    mutating func beginList(isSet: Bool)
    /// Called before each element.
    mutating func element(isFirst: Bool)
    mutating func endList(isSet: Bool)
    mutating func beginDictionary()
    /// Called before each value of a dictionary or object.
    mutating func key(_ key: UnsafeRawBufferPointer, isFirst: Bool)
    mutating func endFields()
}

/// Receives the parts of a stored value of any format from a stream, without any of them being built as a value.
protocol ValueSink: JSONSink {
    mutating func integer(_ integer: Int64)
    mutating func double(_ double: Double)
    mutating func data(_ data: UnsafeRawBufferPointer)
    mutating func date(_ secondsSince2001: Double)
    mutating func uuid(_ uuid: UUID)
    mutating func url(_ text: UnsafeRawBufferPointer)
    mutating func reference(_ path: ValuePath)

    mutating func beginObject(className: UnsafeRawBufferPointer)
}

/// Thrown for what a stream does not write: damaged bytes, and forms too rare to implement twice. The caller then
/// decodes the bytes to a value, which describes the damage.
struct Refusal: Error {
    /// Whether the bytes are of a known format, and a text in them cannot be written as it is.
    var isInexact = false
}

/// Discards everything: shows whether a stream would be refused before any byte of it is written.
struct NoSink: ValueSink {
    /// To the thread sanitizer all values without a byte are one, which many threads change.
    private let byte: UInt8 = 0

    mutating func null() {}
    mutating func bool(_ bool: Bool) {}
    mutating func integer(_ integer: Int64) {}
    mutating func double(_ double: Double) {}
    mutating func number(_ number: JSONNumber) {}
    mutating func text(_ text: UnsafeRawBufferPointer) {}
    mutating func data(_ data: UnsafeRawBufferPointer) {}
    mutating func date(_ secondsSince2001: Double) {}
    mutating func uuid(_ uuid: UUID) {}
    mutating func url(_ text: UnsafeRawBufferPointer) {}
    mutating func reference(_ path: ValuePath) {}
    mutating func beginList(isSet: Bool) {}
    mutating func element(isFirst: Bool) {}
    mutating func endList(isSet: Bool) {}
    mutating func beginDictionary() {}
    mutating func beginObject(className: UnsafeRawBufferPointer) {}
    mutating func key(_ key: UnsafeRawBufferPointer, isFirst: Bool) {}
    mutating func endFields() {}
}
