import ByteFormats
import Foundation

/// The parts of a binary property list, as every writer of one needs them. `PropertyListTable` describes the format.
extension ByteBuffer {
    /// The number of bytes that hold every number up to `largest`: 1, 2, 4 or 8.
    package static func width(_ largest: Int) -> Int {
        largest <= 0xff ? 1 : largest <= 0xffff ? 2 : largest <= 0xffff_ffff ? 4 : 8
    }

    /// Negative integers take eight bytes, others the fewest that hold them.
    package mutating func appendPropertyListInteger(_ value: Int64) {
        let width = value < 0 ? 8 : Self.width(Int(value))
        append(0x10 | UInt8(width.trailingZeroBitCount))
        appendBigEndian(UInt64(bitPattern: value), width: width)
    }

    package mutating func appendPropertyListReal(_ value: Double) {
        append(0x23)
        appendBigEndian(value.bitPattern, width: 8)
    }

    /// - Parameter seconds: since 2001.
    package mutating func appendPropertyListDate(_ seconds: Double) {
        append(0x33)
        appendBigEndian(seconds.bitPattern, width: 8)
    }

    package mutating func appendPropertyListData(_ value: Data) {
        appendPropertyListHeader(0x40, value.count)
        value.withUnsafeBytes { append($0) }
    }

    /// - Parameter text: valid UTF-8. It is stored as UTF-16 unless it is ASCII.
    package mutating func appendPropertyListText(_ text: UnsafeRawBufferPointer) {
        appendPropertyListText(text, isASCII: text.isASCII)
    }

    mutating func appendPropertyListText(_ text: UnsafeRawBufferPointer, isASCII: Bool) {
        if isASCII {
            appendPropertyListHeader(0x50, text.count)
            append(text)
        } else {
            let units = Array(String(decoding: text, as: UTF8.self).utf16)
            appendPropertyListHeader(0x60, units.count)
            for unit in units { appendBigEndian(UInt64(unit), width: 2) }
        }
    }

    /// Begins an object that has a size: its type in the upper half of the first byte.
    package mutating func appendPropertyListHeader(_ type: UInt8, _ count: Int) {
        if count < 15 {
            append(type | UInt8(count))
        } else {
            append(type | 0x0f)
            appendPropertyListInteger(Int64(count))
        }
    }

    /// Ends a list with the table of its objects' offsets and the trailer.
    package mutating func appendPropertyListEnd(_ offsets: UnsafeBufferPointer<Int>, root: Int, referenceWidth: Int) {
        let tableStart = count
        let offsetWidth = Self.width(tableStart)
        appendBigEndian(offsets, width: offsetWidth)
        appendBigEndian(0, width: 4)
        appendBigEndian(UInt64(offsetWidth << 8 | referenceWidth), width: 4)
        for number in [offsets.count, root, tableStart] { appendBigEndian(UInt64(number), width: 8) }
    }
}
