import ByteFormats
import Foundation

/// Collects the text that a search examines, like ``DecodedValue/appendSearchText(to:limit:content:)``, without a limit.
struct SearchOutput: ValueSink {
    var bytes: [UInt8] = []
    /// Appends the text of data that has a format of its own.
    private let content: (_ data: UnsafeRawBufferPointer, _ text: inout [UInt8]) -> Void

    init(content: @escaping (_ data: UnsafeRawBufferPointer, _ text: inout [UInt8]) -> Void) { self.content = content }

    private mutating func add(_ text: String) { add(utf8: text.utf8) }

    private mutating func add(utf8 text: some Collection<UInt8>) {
        bytes.append(contentsOf: text)
        bytes.append(0x0A)
    }

    mutating func null() {}
    mutating func bool(_ bool: Bool) {}
    mutating func integer(_ integer: Int64) { add(String(integer)) }
    mutating func double(_ double: Double) { add(double.description) }
    mutating func number(_ number: JSONNumber) { add(utf8: number.text) }
    mutating func text(_ text: UnsafeRawBufferPointer) { add(utf8: text) }
    mutating func data(_ data: UnsafeRawBufferPointer) { content(data, &bytes) }
    mutating func date(_ seconds: Double) {
        if !ISODate.append(seconds, to: &bytes, separator: " ", zone: "") { bytes.append("\(seconds) s since 2001") }
        bytes.append(0x0A)
    }
    mutating func uuid(_ uuid: UUID) { add(uuid.uuidString) }
    mutating func url(_ text: UnsafeRawBufferPointer) { add(utf8: text) }
    mutating func reference(_ path: ValuePath) {}

    mutating func beginList(isSet: Bool) {}
    mutating func element(isFirst: Bool) {}
    mutating func endList(isSet: Bool) {}
    mutating func beginDictionary() {}
    mutating func beginObject(className: UnsafeRawBufferPointer) {}
    mutating func key(_ key: UnsafeRawBufferPointer, isFirst: Bool) { add(utf8: key) }
    mutating func endFields() {}
}
