/// The table of a binary property list, read in place: nothing is copied, and every offset is checked before use.
///
/// The format: the text `bplist00`; objects, each a marker byte (type in the upper half, size in the lower) and its
/// bytes, big-endian; a table of their offsets; and 32 bytes at the end with the width of offsets and references, the
/// number of objects, the index of the root, and the position of the table.
package struct PropertyListTable: PropertyListSource {
    package static let magic = Array("bplist00".utf8)
    package static let trailerSize = 32
    @inlinable static var magicSize: Int { 8 }

    @usableFromInline package let count: Int
    package let root: Int

    @usableFromInline package let bytes: UnsafeRawBufferPointer
    /// The position at which the offsets begin and the objects end.
    @usableFromInline package let tableStart: Int
    @usableFromInline package let offsetWidth: Int
    @usableFromInline package let referenceWidth: Int

    /// Whether bytes begin as a binary property list does.
    @inlinable package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= magicSize && bigEndian(bytes, 0, magicSize) == 0x6270_6c69_7374_3030
    }

    /// The bytes must outlive the table.
    package init(_ bytes: UnsafeRawBufferPointer) throws(MalformedPropertyList) {
        guard Self.begins(bytes) else { throw MalformedPropertyList("it does not begin with bplist00") }
        let trailer = bytes.count - Self.trailerSize
        guard trailer > Self.magicSize else { throw MalformedPropertyList("it is cut off") }
        self.bytes = bytes
        offsetWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        func number(_ place: Int) -> Int? {
            let number = bigEndian(bytes, trailer + place, 8)
            return number <= UInt64(trailer) ? Int(number) : nil
        }
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), let count = number(8),
            let root = number(16), let tableStart = number(24), tableStart >= Self.magicSize,
            count <= (trailer - tableStart) / offsetWidth
        else { throw MalformedPropertyList("its trailer does not fit its size") }
        (self.count, self.root, self.tableStart) = (count, root, tableStart)
    }

    /// Whether the table of offsets ends where the trailer begins, as every writer has it.
    @inlinable package var isFilled: Bool {
        tableStart + count * offsetWidth + Self.trailerSize == bytes.count
    }

    @inlinable package func object(_ index: Int) throws(MalformedPropertyList) -> PropertyListObject {
        guard index >= 0, index < count else { throw MalformedPropertyList("a reference leads nowhere") }
        let place = bigEndian(bytes, tableStart + index * offsetWidth, offsetWidth)
        guard place >= UInt64(Self.magicSize), place < UInt64(tableStart) else {
            throw MalformedPropertyList("an object lies outside")
        }
        let offset = Int(place)
        let (type, size) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0f))
        switch type {
        case 0x0 where size == 0: return .null
        case 0x0 where size == 8 || size == 9: return .bool(size == 9)
        case 0x1 where size < 4: return .integer(Int64(bitPattern: try number(offset + 1, width: 1 << size)))
        case 0x1 where size == 4:
            let high = Int64(bitPattern: try number(offset + 1, width: 8))
            return .wideInteger(high: high, low: try number(offset + 9, width: 8))
        case 0x2 where size == 2:
            let bits = UInt32(truncatingIfNeeded: try number(offset + 1, width: 4))
            return .real(Double(Float(bitPattern: bits)))
        case 0x2 where size == 3: return .real(Double(bitPattern: try number(offset + 1, width: 8)))
        case 0x3 where size == 3: return .date(Double(bitPattern: try number(offset + 1, width: 8)))
        case 0x8: return .uid(try uid(offset + 1, width: size + 1))
        default: return try sized(type, size, offset)
        }
    }

    @inlinable package func reference(_ children: PropertyListObject.Children, _ place: Int) -> Int {
        let reference = bigEndian(bytes, children.start + place * referenceWidth, referenceWidth)
        return reference < UInt64(count) ? Int(reference) : count
    }

    /// Reads an object whose size may need a separate integer.
    @inlinable func sized(_ type: UInt8, _ size: Int, _ offset: Int) throws(MalformedPropertyList)
        -> PropertyListObject
    {
        var (count, start) = (size, offset + 1)
        if size == 0x0f {
            guard start < tableStart, bytes[start] >> 4 == 1, bytes[start] & 0x0f <= 3 else {
                throw MalformedPropertyList("a size is no integer")
            }
            let width = 1 << Int(bytes[start] & 0x0f)
            let number = try number(start + 1, width: width)
            guard number <= UInt64(tableStart) else { throw MalformedPropertyList("a size is larger than the whole") }
            count = Int(number)
            start += 1 + width
        }
        switch type {
        case 0x4: return .data(try piece(start, count))
        // 7 is UTF-8, which Foundation never writes but some readers accept.
        case 0x5, 0x7: return .string(try piece(start, count))
        case 0x6: return .string(try piece(start, count * 2, isUTF16: true))
        case 0xa: return .array(try children(start, count, perElement: 1))
        case 0xb, 0xc: return .set(try children(start, count, perElement: 1))
        case 0xd: return .dictionary(try children(start, count, perElement: 2))
        default: throw MalformedPropertyList("an object has the unknown type \(type)")
        }
    }

    @inlinable func piece(
        _ start: Int, _ byteCount: Int, isUTF16: Bool = false
    ) throws(MalformedPropertyList) -> PropertyListObject.Piece {
        guard byteCount <= tableStart - start else { throw MalformedPropertyList("an object is cut off") }
        return PropertyListObject.Piece(start: start, byteCount: byteCount, isUTF16: isUTF16)
    }

    @inlinable func children(
        _ start: Int, _ count: Int, perElement: Int
    ) throws(MalformedPropertyList) -> PropertyListObject.Children {
        guard count * perElement <= (tableStart - start) / referenceWidth else {
            throw MalformedPropertyList("a list is cut off")
        }
        return PropertyListObject.Children(start: start, count: count)
    }

    @usableFromInline func uid(_ start: Int, width: Int) throws(MalformedPropertyList) -> Int {
        guard width <= 8, let uid = Int(exactly: try number(start, width: width)) else {
            throw MalformedPropertyList("a reference is too large")
        }
        return uid
    }

    @inlinable func number(_ start: Int, width: Int) throws(MalformedPropertyList) -> UInt64 {
        guard start + width <= tableStart else { throw MalformedPropertyList("a number is cut off") }
        return bigEndian(bytes, start, width)
    }
}

/// Reads a number of up to eight bytes.
@inlinable @inline(__always)
func bigEndian(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ width: Int) -> UInt64 {
    switch width {
    case 1: return UInt64(bytes[start])
    case 2: return UInt64(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self)))
    case 8: return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    default:
        var number: UInt64 = 0
        for place in start..<start + width { number = number << 8 | UInt64(bytes[place]) }
        return number
    }
}

extension PropertyListTable {
    /// Returns a string. Invalid parts (halves of surrogate pairs, and bytes above 127 in an ASCII string that are not
    /// UTF-8) become U+FFFD.
    package func string(_ piece: PropertyListObject.Piece) -> String {
        let text = bytes(piece)
        guard piece.isUTF16 else { return String(decoding: text, as: UTF8.self) }
        let units = (0..<text.count / 2).map { place in
            UInt16(bigEndian: text.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self))
        }
        return String(decoding: units, as: UTF16.self)
    }

    package func isUnicode(_ piece: PropertyListObject.Piece) -> Bool {
        let text = bytes(piece)
        guard piece.isUTF16 else { return text.isUTF8 }
        var place = 0
        while place < text.count {
            let unit = bigEndian(text, place, 2)
            place += 2
            guard unit >> 11 == 0x1B else { continue }
            guard unit < 0xDC00, place < text.count, bigEndian(text, place, 2) >> 10 == 0x37 else { return false }
            place += 2
        }
        return true
    }

    package func data(_ piece: PropertyListObject.Piece) -> [UInt8] { Array(bytes(piece)) }

    @inlinable package func string(_ piece: PropertyListObject.Piece, is text: StaticString) -> Bool {
        guard !piece.isUTF16, piece.byteCount == text.utf8CodeUnitCount else { return false }
        let start = text.utf8Start
        for place in 0..<piece.byteCount where bytes[piece.start + place] != start[place] { return false }
        return true
    }

    /// Returns bytes that are valid as long as those of the whole list.
    package func bytes(_ piece: PropertyListObject.Piece) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[piece.start..<piece.start + piece.byteCount])
    }
}
