/// The text of a cell: one grapheme cluster of up to 12 bytes, stored inline. Longer clusters are emoji that are joined into one picture:
/// four of them are packed into the same bytes, of more the first one is kept.
///
/// Tens of thousands of cells are copied and compared for every frame. Without references that is a copy of memory, and half of it
/// takes half of the time; a `Character` in each cell would cost ten times as much.
struct CellText: Hashable, Sendable {
    /// The UTF-8 bytes in order, padded with zeros; all zeros for a column that a wide character to the left covers.
    var bytes: UInt64 = 0
    var moreBytes: UInt32 = 0

    static let capacity = 12
    static let covered = CellText()
    static let blank = CellText(ascii: 0x20)

    init() {}

    init(ascii byte: UInt8) { bytes = UInt64(byte).littleEndian }

    /// Creates a cell's text. Of a cluster that is too long, the first scalars are kept: of joined pictures the first one.
    init(_ character: Character) {
        let isWhole = character.utf8.count <= Self.capacity
        if !isWhole, let packed = CellText(packing: character) {
            self = packed
            return
        }
        withUnsafeMutableBytes(of: &self) { target in
            var end = 0
            for scalar in character.unicodeScalars {
                let bytes = UTF8.encode(scalar)!
                if !isWhole, scalar.isJoiner || end + bytes.count > Self.capacity { break }
                for byte in bytes {
                    target[end] = byte
                    end += 1
                }
            }
        }
    }

    var isCovered: Bool { bytes == 0 }
    var ascii: UInt8? {
        let first = UInt64(littleEndian: bytes)
        return first > 0 && first < 0x80 ? UInt8(first) : nil
    }
    var isBlank: Bool { self == .blank }

    var character: Character? {
        if isCovered { return nil }
        let first = UInt64(littleEndian: bytes)
        if first < 0x80 { return Character(Unicode.Scalar(UInt8(first))) }
        if let joined { return joined }
        return withUnsafeBytes(of: self) { source in
            let used = source.prefix(Self.capacity).prefix { $0 != 0 }
            return Character(String(decoding: used, as: UTF8.self))
        }
    }
}
