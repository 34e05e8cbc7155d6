import Foundation

extension FieldReader where Field: Comparable & Sendable {
    /// Returns a function that gives a number for the field of a value at its place. Two fields with different numbers are ordered
    /// as the numbers are; fields with equal numbers, or without one, must be compared.
    ///
    /// Nil for a computed field, and for a type that has no such numbers.
    func prefix(isDescending: Bool) -> (@Sendable (UnsafeRawPointer) -> UInt64?)? {
        guard let offset else { return nil }
        switch Field.self {
        case is Int.Type:
            return prefix(at: offset, isDescending) { (value: Int) in UInt64(bitPattern: Int64(value)) ^ 1 << 63 }
        case is Double.Type: return prefix(at: offset, isDescending) { (value: Double) in value.orderedBits }
        case is Date.Type:
            return prefix(at: offset, isDescending) { (value: Date) in value.timeIntervalSinceReferenceDate.orderedBits
            }
        case is Int64.Type:
            return prefix(at: offset, isDescending) { (value: Int64) in UInt64(bitPattern: value) ^ 1 << 63 }
        case is Int32.Type:
            return prefix(at: offset, isDescending) { (value: Int32) in UInt64(bitPattern: Int64(value)) ^ 1 << 63 }
        case is UInt.Type: return prefix(at: offset, isDescending) { (value: UInt) in UInt64(value) }
        case is UInt64.Type: return prefix(at: offset, isDescending) { (value: UInt64) in value }
        case is Float.Type: return prefix(at: offset, isDescending) { (value: Float) in Double(value).orderedBits }
        case is String.Type: return prefix(at: offset, isDescending) { (value: String) in value.orderedBits }
        default: return nil
        }
    }

    /// Whether fields with equal numbers are equal.
    var isPrefixExact: Bool { prefix(isDescending: false) != nil && Field.self != String.self }

    @inline(__always) private func prefix<Stored>(
        at offset: Int, _ isDescending: Bool, _ bits: @escaping @Sendable (Stored) -> UInt64?
    ) -> @Sendable (UnsafeRawPointer) -> UInt64? {
        { place in
            let bits = bits((place + offset).assumingMemoryBound(to: Stored.self).pointee)
            return isDescending ? bits.map(~) : bits
        }
    }
}

extension Double {
    /// The bits such that they are ordered as the numbers are; nil for what is not a number. Both zeros are equal.
    fileprivate var orderedBits: UInt64? {
        if isNaN { return nil }
        let bits = (self + 0).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }
}

extension String {
    /// The first eight bytes of a text that begins with nine ASCII characters or has no others. What comes after a character may
    /// combine with it, and Swift compares composed characters.
    fileprivate var orderedBits: UInt64? {
        var (bits, count) = (UInt64(0), 0)
        for byte in utf8.prefix(9) {
            if byte >= 0x80 { return nil }
            if count < 8 { bits = bits << 8 | UInt64(byte) }
            count += 1
        }
        return count < 8 ? bits << UInt64(8 * (8 - count)) : bits
    }
}
