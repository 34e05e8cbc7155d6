/// A binary property list written by hand, which may contain what no correct program writes.
struct RawPropertyList {
    /// The bytes of each object in the list.
    var objects: [[UInt8]]
    var root = 0
    /// The number of objects in the trailer; nil for the real one.
    var claimedCount: UInt64?

    static let referenceWidth = 4

    var bytes: [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += bigEndian(UInt64(offset), 8) }
        bytes += [0, 0, 0, 0, 0, 0, 8, UInt8(Self.referenceWidth)]
        bytes += bigEndian(claimedCount ?? UInt64(objects.count), 8)
        return bytes + bigEndian(UInt64(root), 8) + bigEndian(UInt64(table), 8)
    }

    static func integer(_ value: Int64) -> [UInt8] { [0x13] + bigEndian(UInt64(bitPattern: value), 8) }
    static func text(_ text: String) -> [UInt8] { sized(0x50, text.utf8.count) + text.utf8 }
    static func text(_ units: [UInt16]) -> [UInt8] {
        sized(0x60, units.count) + units.flatMap { bigEndian(UInt64($0), 2) }
    }
    static func uid(_ value: Int) -> [UInt8] { [0x83] + bigEndian(UInt64(value), 4) }

    static func array(_ references: [Int]) -> [UInt8] {
        sized(0xa0, references.count) + references.flatMap { bigEndian(UInt64($0), referenceWidth) }
    }

    static func set(_ references: [Int]) -> [UInt8] {
        sized(0xc0, references.count) + references.flatMap { bigEndian(UInt64($0), referenceWidth) }
    }

    static func dictionary(_ pairs: [(key: Int, value: Int)]) -> [UInt8] {
        sized(0xd0, pairs.count)
            + (pairs.map(\.key) + pairs.map(\.value)).flatMap { bigEndian(UInt64($0), referenceWidth) }
    }

    static func sized(_ type: UInt8, _ count: Int) -> [UInt8] { [type | 0x0f, 0x13] + bigEndian(UInt64(count), 8) }
}

func bigEndian(_ value: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}
