import Foundation

extension BinaryPropertyList {
    /// Reads a whole list. Whatever the bytes are, the outcome is a value or an error.
    static func read(_ data: Data) throws -> BinaryPropertyList {
        try data.withUnsafeBytes { bytes in
            var reader = try Reader(bytes)
            return try reader.root()
        }
    }
}

private struct Reader {
    /// Lists inside lists; archives are flat, so more than a few levels are damage.
    private static let depthLimit = 100

    private let bytes: UnsafeRawBufferPointer
    private let offsetWidth: Int
    private let referenceWidth: Int
    private let objectCount: Int
    private let rootReference: Int
    private let tableStart: Int
    /// References may share objects, so few bytes could spell a huge tree; no honest one has more values than this.
    private var valuesLeft: Int

    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count > BinaryPropertyList.magic.count + BinaryPropertyList.trailerSize,
            bytes.starts(with: BinaryPropertyList.magic)
        else { throw BinaryPropertyList.Malformed("it does not begin with bplist00") }
        self.bytes = bytes
        let trailer = bytes.count - BinaryPropertyList.trailerSize
        offsetWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        valuesLeft = 16 * bytes.count
        objectCount = try Self.number(bytes, trailer + 8, 8)
        rootReference = try Self.number(bytes, trailer + 16, 8)
        tableStart = try Self.number(bytes, trailer + 24, 8)
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), objectCount <= trailer,
            tableStart <= trailer - objectCount * offsetWidth
        else { throw BinaryPropertyList.Malformed("its trailer does not fit its size") }
    }

    mutating func root() throws -> BinaryPropertyList { try object(rootReference, depth: 0) }

    private mutating func object(_ reference: Int, depth: Int) throws -> BinaryPropertyList {
        guard reference < objectCount else { throw BinaryPropertyList.Malformed("a reference leads nowhere") }
        guard depth < Self.depthLimit else { throw BinaryPropertyList.Malformed("it is nested too deep") }
        guard valuesLeft > 0 else { throw BinaryPropertyList.Malformed("it has too many values") }
        valuesLeft -= 1
        let offset = try Self.number(bytes, tableStart + reference * offsetWidth, offsetWidth)
        guard offset < tableStart else { throw BinaryPropertyList.Malformed("an object lies outside") }
        let (type, size) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0f))
        switch type {
        case 0x0 where size == 8 || size == 9: return .bool(size == 9)
        case 0x1 where size <= 4: return .integer(try integer(offset + 1, width: 1 << size))
        case 0x2 where size == 2: return .real(Double(Float(bitPattern: UInt32(try bits(offset + 1, width: 4)))))
        case 0x2 where size == 3: return .real(Double(bitPattern: try bits(offset + 1, width: 8)))
        case 0x3 where size == 3: return .date(Double(bitPattern: try bits(offset + 1, width: 8)))
        case 0x8: return .uid(try Self.number(bytes, offset + 1, size + 1))
        default: return try sized(type, offset, size, depth: depth)
        }
    }

    /// Objects whose size may need an integer of its own.
    private mutating func sized(_ type: UInt8, _ offset: Int, _ size: Int, depth: Int) throws -> BinaryPropertyList {
        var (count, start) = (size, offset + 1)
        if size == 0x0f {
            guard start < tableStart, bytes[start] >> 4 == 1, bytes[start] & 0x0f <= 3 else {
                throw BinaryPropertyList.Malformed("a size is no integer")
            }
            let width = 1 << Int(bytes[start] & 0x0f)
            count = try Self.number(bytes, start + 1, width)
            start += 1 + width
        }
        switch type {
        case 0x4: return .data(Data(try slice(start, count, of: 1)))
        case 0x5: return .string(String(decoding: try slice(start, count, of: 1), as: UTF8.self))
        case 0x6: return .string(try utf16(slice(start, count, of: 2)))
        case 0xa: return .array(try references(start, count).map { try object($0, depth: depth + 1) })
        case 0xd: return .dictionary(try dictionary(start, count, depth: depth))
        default: throw BinaryPropertyList.Malformed("an object has the unknown type \(type)")
        }
    }

    private mutating func dictionary(_ start: Int, _ count: Int, depth: Int) throws -> [String: BinaryPropertyList] {
        let keys = try references(start, count)
        let values = try references(start + count * referenceWidth, count)
        var dictionary: [String: BinaryPropertyList] = [:]
        for (key, value) in zip(keys, values) {
            guard let name = try object(key, depth: depth + 1).string else {
                throw BinaryPropertyList.Malformed("a key is no string")
            }
            dictionary[name] = try object(value, depth: depth + 1)
        }
        return dictionary
    }

    private func references(_ start: Int, _ count: Int) throws -> [Int] {
        _ = try slice(start, count, of: referenceWidth)
        return try (0..<count).map { try Self.number(bytes, start + $0 * referenceWidth, referenceWidth) }
    }

    private func utf16(_ slice: UnsafeRawBufferPointer) -> String {
        let units = stride(from: 0, to: slice.count, by: 2).map { UInt16(slice[$0]) << 8 | UInt16(slice[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    private func slice(_ start: Int, _ count: Int, of width: Int) throws -> UnsafeRawBufferPointer {
        guard count <= bytes.count, start + count * width <= tableStart else {
            throw BinaryPropertyList.Malformed("an object is cut off")
        }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count * width])
    }

    /// Integers of less than 8 bytes are unsigned; of 16 bytes only the lower half is ever used.
    private func integer(_ start: Int, width: Int) throws -> Int64 {
        guard width == 16 else { return Int64(bitPattern: try bits(start, width: width)) }
        return Int64(bitPattern: try bits(start + 8, width: 8))
    }

    private func bits(_ start: Int, width: Int) throws -> UInt64 {
        guard start + width <= tableStart else { throw BinaryPropertyList.Malformed("a number is cut off") }
        return bytes[start..<start + width].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number that counts or points, so it must not be larger than the whole.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ width: Int) throws -> Int {
        guard width <= 8, start + width <= bytes.count else {
            throw BinaryPropertyList.Malformed("a number is cut off")
        }
        let value = bytes[start..<start + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard value <= UInt64(bytes.count) else { throw BinaryPropertyList.Malformed("a number is too large") }
        return Int(value)
    }
}
