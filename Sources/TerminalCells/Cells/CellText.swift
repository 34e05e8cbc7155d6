/// One grapheme cluster of up to 27 bytes, kept in place.
///
/// A screen is tens of thousands of cells that are copied and compared for every frame. Without a reference in them that
/// is a move of memory; with a `Character` in each it is ten times the work.
struct CellText: Hashable, Sendable {
    /// The bytes of UTF-8 in order, zeros behind them; all zeros for a column that a character to the left covers.
    private var bytes: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var moreBytes: (UInt16, UInt8) = (0, 0)

    static let capacity = 27
    static let covered = CellText()
    static let blank = CellText(ascii: 0x20)

    private init() {}

    init(ascii byte: UInt8) { bytes.0 = UInt64(byte).littleEndian }

    /// A cluster too long to be kept is its first scalar: that has at most four bytes.
    init(_ character: Character) {
        let utf8 = character.utf8
        let kept =
            utf8.count <= Self.capacity
            ? String(character) : String(character.unicodeScalars.prefix(1).map(Character.init))
        withUnsafeMutableBytes(of: &self) { target in
            for (index, byte) in kept.utf8.enumerated() { target[index] = byte }
        }
    }

    var isCovered: Bool { bytes.0 == 0 }
    var ascii: UInt8? {
        let first = UInt64(littleEndian: bytes.0)
        return first > 0 && first < 0x80 ? UInt8(first) : nil
    }
    var isBlank: Bool { self == .blank }

    var character: Character? {
        if isCovered { return nil }
        let first = UInt64(littleEndian: bytes.0)
        if first < 0x80 { return Character(Unicode.Scalar(UInt8(first))) }
        return withUnsafeBytes(of: self) { source in
            let used = source.prefix(Self.capacity).prefix { $0 != 0 }
            return Character(String(decoding: used, as: UTF8.self))
        }
    }

    static func == (a: CellText, b: CellText) -> Bool {
        a.bytes == b.bytes && a.moreBytes == b.moreBytes
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.0)
        hasher.combine(bytes.1)
        hasher.combine(bytes.2)
        hasher.combine(moreBytes.0)
        hasher.combine(moreBytes.1)
    }
}
