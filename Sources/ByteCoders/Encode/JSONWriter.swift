import Foundation

/// Writes JSON as Foundation's `JSONEncoder` does with its default settings, but for the order of keys: they stay in the order
/// in which the type encodes them.
final class JSONWriter: ValueWriter {
    override func begin(_ kind: Kind, _ frame: UnsafeMutablePointer<Frame>) {
        out.pointee.append(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    override func end(_ frame: UnsafeMutablePointer<Frame>) {
        out.pointee.append(frame.pointee.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    override func key(_ text: ScannedText, _ frame: UnsafeMutablePointer<Frame>) {
        if frame.pointee.count > 0 { out.pointee.append(UInt8(ascii: ",")) }
        quoted(text.bytes)
        out.pointee.append(UInt8(ascii: ":"))
    }

    override func element(_ frame: UnsafeMutablePointer<Frame>) {
        if frame.pointee.count > 0 { out.pointee.append(UInt8(ascii: ",")) }
    }

    override func null() { out.pointee.append("null") }
    override func bool(_ value: Bool) { out.pointee.append(value ? "true" : "false") }

    override func integer(_ value: Int64) {
        out.pointee.appendDecimal(value.magnitude, isNegative: value < 0)
    }

    override func unsigned(_ value: UInt64) { out.pointee.appendDecimal(value, isNegative: false) }

    override func double(_ value: Double) {
        // Such whole numbers are written with all their digits.
        if value.magnitude < 0x1p53, value.rounded(.towardZero) == value, value != 0 {
            integer(Int64(value))
        } else {
            floating(value)
        }
    }

    override func float(_ value: Float) { floating(value) }

    private func floating<Number: BinaryFloatingPoint & CustomStringConvertible>(_ value: Number) {
        guard value.isFinite else { return markExotic() }
        let text = value.description
        out.pointee.append(text)
        if text.hasSuffix(".0") { out.pointee.removeLast(2) }
    }

    override func string(_ value: String) {
        var value = value
        value.withUTF8 { quoted(UnsafeRawBufferPointer($0)) }
    }

    override func date(_ value: Date) { double(value.timeIntervalSinceReferenceDate) }
    override func data(_ value: Data) { string(value.base64EncodedString()) }
    override var hasFormOfURL: Bool { true }
    override func url(_ value: URL) { string(value.absoluteString) }

    override func decimal(_ value: Decimal) {
        guard value.isFinite else { return markExotic() }
        out.pointee.append(value.description)
    }

    /// Writes a text in quotation marks. `/` is escaped too, as Foundation does.
    private func quoted(_ bytes: UnsafeRawBufferPointer) {
        out.pointee.reserve(bytes.count + 2)
        out.pointee.append(UInt8(ascii: "\""))
        var start = 0
        for place in 0..<bytes.count where Self.isEscaped(bytes[place]) {
            out.pointee.append(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
            escape(bytes[place])
            start = place + 1
        }
        out.pointee.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        out.pointee.append(UInt8(ascii: "\""))
    }

    @inline(__always) private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
    }

    private func escape(_ byte: UInt8) {
        out.pointee.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: out.pointee.append(UInt8(ascii: "b"))
        case 0x09: out.pointee.append(UInt8(ascii: "t"))
        case 0x0a: out.pointee.append(UInt8(ascii: "n"))
        case 0x0c: out.pointee.append(UInt8(ascii: "f"))
        case 0x0d: out.pointee.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            let digits: StaticString = "0123456789abcdef"
            out.pointee.append("u00")
            out.pointee.append(digits.utf8Start[Int(byte >> 4)])
            out.pointee.append(digits.utf8Start[Int(byte & 0x0f)])
        default: out.pointee.append(byte)
        }
    }
}
