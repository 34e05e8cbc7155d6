/// A string that equals another only if their UTF-8 bytes are equal.
///
/// Swift treats "é" and "e" with a combining accent as the same string. SQLite does not, nor did the original: rows
/// whose keys differ only in that are two rows.
@frozen public struct ExactString: Sendable {
    @usableFromInline package let text: String

    @inlinable package init(_ text: String) { self.text = text }
}

extension ExactString: Hashable {
    @inlinable public static func == (one: ExactString, other: ExactString) -> Bool {
        one.text.hasSameBytes(as: other.text)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(text.byteHash) }

    /// What dictionaries ask for. By default it would be a hash of the hash, which takes longer than that of a short text.
    public func _rawHashValue(seed: Int) -> Int { text.byteHash.seeded(seed) }
}

extension ExactString: Comparable {
    @inlinable public static func < (one: ExactString, other: ExactString) -> Bool { one.text.precedes(other.text) }
}

extension String {
    @inlinable @inline(__always) package func hasSameBytes(as other: String) -> Bool {
        isSameValue(as: other) || comparesEqual(to: other)
    }

    /// Whether the text begins with the bytes of another one. `hasPrefix` goes by characters, and one of them is a letter or a mark with a
    /// combining character behind it.
    @inline(__always) package func startsWithBytes(of other: String) -> Bool { utf8.starts(with: other.utf8) }

    /// The text behind the bytes of another one; nil if it does not begin with these.
    package func dropping(prefix: String) -> String? {
        startsWithBytes(of: prefix) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
    }

    /// Whether the text ends with the bytes of another one.
    package func endsWithBytes(of other: String) -> Bool { utf8.reversed().starts(with: other.utf8.reversed()) }

    /// Whether the text comes first in the order of bytes, which is that of Unicode scalars and SQLite's.
    @inlinable @inline(__always) package func precedes(_ other: String) -> Bool { byteOrder(to: other) < 0 }

    /// Below 0 if the text comes first in the order of bytes, above 0 if the other one does, 0 if their bytes are equal.
    @inlinable @inline(__always) package func byteOrder(to other: String) -> Int {
        isSameValue(as: other) ? 0 : comparesBytes(to: other)
    }

    @usableFromInline func comparesBytes(to other: String) -> Int {
        let order = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in
                UnsafeRawBufferPointer(one).byteOrder(to: UnsafeRawBufferPointer(other))
            }
        }
        if let order, let order { return order }
        return utf8.lexicographicallyPrecedes(other.utf8) ? -1 : other.utf8.lexicographicallyPrecedes(utf8) ? 1 : 0
    }

    /// Whether both are stored in the same way, as copies of one string are. Short strings are stored in themselves.
    @inlinable @inline(__always) package func isSameValue(as other: String) -> Bool {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
        let one = unsafeBitCast(self, to: (UInt64, UInt64).self)
        return one == unsafeBitCast(other, to: (UInt64, UInt64).self)
    }

    @usableFromInline func comparesEqual(to other: String) -> Bool {
        let isSame = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in
                UnsafeRawBufferPointer(one).hasSameBytes(as: UnsafeRawBufferPointer(other))
            }
        }
        // Only strings bridged on other platforms lack such storage.
        if let isSame, let isSame { return isSame }
        return utf8.elementsEqual(other.utf8)
    }

    /// A hash of the bytes that depends on a secret of the process, in a fraction of the time of `Hasher`: rows are looked up by their
    /// keys several times in each write.
    var byteHash: UInt64 {
        if let hash = utf8.withContiguousStorageIfAvailable({ UnsafeRawBufferPointer($0).byteHash }) { return hash }
        return Array(utf8).withUnsafeBytes(\.byteHash)
    }
}

extension Int64 {
    /// A hash that depends on a secret of the process.
    package var byteHash: UInt64 {
        let (one, other) = secrets
        return folded(UInt64(bitPattern: self) ^ one, other)
    }
}

extension UInt64 {
    /// Of a hash of bytes, the one for a table with this seed: tables of different sizes have different orders, so that one can be filled in the
    /// order of another one without collisions.
    @inline(__always) func seeded(_ seed: Int) -> Int {
        Int(truncatingIfNeeded: folded(self ^ UInt64(truncatingIfNeeded: seed), 0x9E37_79B9_7F4A_7C15))
    }
}

/// Two secrets of this process, so that no file can be written whose keys share a hash.
private let secrets: (UInt64, UInt64) = {
    func secret(_ number: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
    return (secret(1), secret(2))
}()

/// The two halves of a product, mixed: each bit of it depends on all bits of both factors.
@inline(__always) private func folded(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
}

extension UnsafeRawBufferPointer {
    /// Compares eight bytes at a time, because rows are looked up by their keys all the time.
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var place = 0
        while place + 8 <= count {
            let one = loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if one != other.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
            place += 8
        }
        while place < count {
            if self[place] != other[place] { return false }
            place += 1
        }
        return true
    }

    /// Below 0 if these bytes come first, above 0 if the other ones do, 0 if they are equal.
    @inlinable package func byteOrder(to other: UnsafeRawBufferPointer) -> Int {
        let shared = Swift.min(count, other.count)
        var place = 0
        while place + 8 <= shared {
            let one = UInt64(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let two = UInt64(bigEndian: other.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            if one != two { return one < two ? -1 : 1 }
            place += 8
        }
        while place < shared {
            if self[place] != other[place] { return self[place] < other[place] ? -1 : 1 }
            place += 1
        }
        return count - other.count
    }

    /// Folds 16 bytes a step, and the last 16 or less by two words that may overlap.
    fileprivate var byteHash: UInt64 {
        let (one, other) = secrets
        func word(_ place: Int) -> UInt64 { loadUnaligned(fromByteOffset: place, as: UInt64.self) }
        var state = one ^ UInt64(truncatingIfNeeded: count)
        var place = 0
        while count - place > 16 {
            state = folded(word(place) ^ other, word(place + 8) ^ state)
            place += 16
        }
        let (first, last): (UInt64, UInt64)
        switch count - place {
        case 8...: (first, last) = (word(place), word(count - 8))
        case 4...:
            func half(_ place: Int) -> UInt64 { UInt64(loadUnaligned(fromByteOffset: place, as: UInt32.self)) }
            (first, last) = (half(place), half(count - 4))
        case 1...:
            let middle = UInt64(self[(place + count) / 2])
            (first, last) = (UInt64(self[place]) << 16 | middle << 8 | UInt64(self[count - 1]), 0)
        default: (first, last) = (0, 0)
        }
        return folded(folded(first ^ other, last ^ state), one)
    }
}
