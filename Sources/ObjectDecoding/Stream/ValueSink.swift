import Foundation

/// Takes the values inside a stored value as a stream meets them, without one of them being built.
///
/// Text is UTF-8 and good; the bytes are valid during the call only.
protocol ValueSink {
    mutating func null()
    mutating func bool(_ bool: Bool)
    mutating func integer(_ integer: Int64)
    mutating func double(_ double: Double)
    /// A number as JSON has it.
    mutating func number(_ text: UnsafeRawBufferPointer)
    mutating func text(_ text: UnsafeRawBufferPointer)
    mutating func data(_ data: UnsafeRawBufferPointer)
    mutating func date(_ secondsSince2001: Double)
    mutating func uuid(_ uuid: UUID)
    mutating func url(_ text: UnsafeRawBufferPointer)
    mutating func reference(_ path: ValuePath)

    mutating func beginList(isSet: Bool)
    /// Comes before each element.
    mutating func element(isFirst: Bool)
    mutating func endList(isSet: Bool)
    mutating func beginDictionary()
    mutating func beginObject(className: UnsafeRawBufferPointer)
    /// Comes before each value of a dictionary or object.
    mutating func key(_ key: UnsafeRawBufferPointer, isFirst: Bool)
    mutating func endFields()
}

/// What a stream does not write: whatever is damaged, and forms that are too rare to be worth a second way. The caller
/// decodes the bytes to a value then, which says what is wrong with them.
struct Refusal: Error {}

/// Takes everything and keeps nothing: tells whether a stream would be refused before a byte of it is written.
struct NoSink: ValueSink {
    mutating func null() {}
    mutating func bool(_ bool: Bool) {}
    mutating func integer(_ integer: Int64) {}
    mutating func double(_ double: Double) {}
    mutating func number(_ text: UnsafeRawBufferPointer) {}
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
