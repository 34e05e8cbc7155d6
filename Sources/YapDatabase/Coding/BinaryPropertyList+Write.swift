import ByteFormats
import Foundation

extension BinaryPropertyList {
    /// Returns the list's bytes. Equal strings, numbers and references are written once.
    func bytes() -> Data {
        var writer = Writer()
        let root = writer.collect(self)
        return writer.bytes(root: root)
    }
}

private struct Writer {
    /// An object whose references are known while their width is not.
    private enum Object {
        case scalar([UInt8])
        case container(header: [UInt8], references: [Int])
    }

    private var objects: [Object] = []
    private var known: [BinaryPropertyList: Int] = [:]

    mutating func collect(_ value: BinaryPropertyList) -> Int {
        switch value {
        case .array(let items):
            let references = items.map { collect($0) }
            return add(.container(header: Self.header(0xa0, items.count), references: references))
        case .dictionary(let dictionary):
            let entries = dictionary.sorted { $0.key < $1.key }
            let keys = entries.map { collect(.string($0.key)) }
            let values = entries.map { collect($0.value) }
            return add(.container(header: Self.header(0xd0, entries.count), references: keys + values))
        default:
            if let index = known[value] { return index }
            let index = add(.scalar(Self.scalar(value)))
            known[value] = index
            return index
        }
    }

    func bytes(root: Int) -> Data {
        let referenceWidth = Self.width(objects.count)
        var bytes = Data(PropertyListTable.magic)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .scalar(let scalar): bytes += scalar
            case .container(let header, let references):
                bytes += header
                for reference in references { bytes += Self.bigEndian(UInt64(reference), referenceWidth) }
            }
        }
        let tableStart = bytes.count
        let offsetWidth = Self.width(tableStart)
        for offset in offsets { bytes += Self.bigEndian(UInt64(offset), offsetWidth) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
        for number in [objects.count, root, tableStart] { bytes += Self.bigEndian(UInt64(number), 8) }
        return bytes
    }

    private mutating func add(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    private static func scalar(_ value: BinaryPropertyList) -> [UInt8] {
        switch value {
        case .bool(let bool): [bool ? 9 : 8]
        case .integer(let integer): self.integer(integer)
        case .real(let real): [0x23] + bigEndian(real.bitPattern, 8)
        case .date(let date): [0x33] + bigEndian(date.bitPattern, 8)
        case .data(let data): header(0x40, data.count) + data
        case .string(let string): self.string(string)
        case .uid(let uid): [0x80 | UInt8(width(uid) - 1)] + bigEndian(UInt64(uid), width(uid))
        case .array, .dictionary: fatalError("A container is not a scalar.")
        }
    }

    /// Negative integers take eight bytes, others the fewest that hold them.
    private static func integer(_ value: Int64) -> [UInt8] {
        let width = value < 0 ? 8 : width(Int(value))
        return [0x10 | UInt8(width.trailingZeroBitCount)] + bigEndian(UInt64(bitPattern: value), width)
    }

    private static func string(_ string: String) -> [UInt8] {
        if string.utf8.allSatisfy({ $0 < 0x80 }) { return header(0x50, string.utf8.count) + string.utf8 }
        return header(0x60, string.utf16.count) + string.utf16.flatMap { bigEndian(UInt64($0), 2) }
    }

    private static func header(_ type: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [type | UInt8(count)] : [type | 0x0f] + integer(Int64(count))
    }

    /// The number of bytes that hold every number up to `largest`: 1, 2, 4 or 8.
    private static func width(_ largest: Int) -> Int {
        largest <= 0xff ? 1 : largest <= 0xffff ? 2 : largest <= 0xffff_ffff ? 4 : 8
    }

    private static func bigEndian(_ value: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
