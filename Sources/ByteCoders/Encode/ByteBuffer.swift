import Foundation

/// Bytes that grow at the end. A value of a pointer: its owner calls `free()`.
package struct ByteBuffer {
    private(set) var base: UnsafeMutableRawPointer
    package private(set) var count = 0
    private(set) var capacity: Int

    package init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(byteCount: capacity, alignment: 8)
    }

    package func free() { base.deallocate() }

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    mutating func removeAll() { count = 0 }
    mutating func removeLast(_ bytes: Int) { count -= bytes }

    @inline(__always) mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    private mutating func grow(_ more: Int) {
        let larger = ByteBuffer(capacity: max(2 * capacity, count + more))
        larger.base.copyMemory(from: base, byteCount: count)
        base.deallocate()
        (base, capacity) = (larger.base, larger.capacity)
    }

    @inline(__always) package mutating func append(_ byte: UInt8) {
        reserve(1)
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always) package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    package mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends the lowest bytes of a number, 1, 2, 4 or 8 of them, the highest first.
    @inline(__always) package mutating func appendBigEndian(_ number: UInt64, width: Int) {
        reserve(8)
        let ordered = (number << UInt64(64 - 8 * width)).bigEndian
        (base + count).storeBytes(of: ordered, as: UInt64.self)
        count += width
    }

    /// Appends the lowest bytes of each number in the same way.
    @inline(__always) package mutating func appendBigEndian(
        _ numbers: UnsafeBufferPointer<some FixedWidthInteger>, width: Int
    ) {
        reserve(numbers.count * width + 8)
        let shift = UInt64(64 - 8 * width)
        var place = base + count
        for number in numbers {
            place.storeBytes(of: (UInt64(truncatingIfNeeded: number) << shift).bigEndian, as: UInt64.self)
            place += width
        }
        count += numbers.count * width
    }

    /// Appends an integer in decimal digits.
    mutating func appendDecimal(_ magnitude: UInt64, isNegative: Bool) {
        reserve(21)
        if isNegative { append(0x2d) }
        var (rest, digits) = (magnitude, 1)
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        rest = magnitude
        for place in (0..<digits).reversed() {
            base.storeBytes(
                of: UInt8(truncatingIfNeeded: 0x30 + rest % 10), toByteOffset: count + place, as: UInt8.self)
            rest /= 10
        }
        count += digits
    }
}
