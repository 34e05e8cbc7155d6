/// One object of a property list's table. Text, bytes and children are ranges, so that a reader knows their size before
/// it reads them.
package enum PropertyListObject: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer of 16 bytes, as Foundation writes those beyond `Int64.max`.
    case wideInteger(high: Int64, low: UInt64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data(Piece)
    case string(Piece)
    /// A reference inside a keyed archive.
    case uid(Int)
    case array(Children)
    case set(Children)
    /// All keys, then all values.
    case dictionary(Children)

    /// The range of the bytes of a string or of data.
    package struct Piece: Sendable {
        package let start: Int
        package let byteCount: Int
        package var isUTF16 = false

        package init(start: Int, byteCount: Int, isUTF16: Bool = false) {
            self.start = start
            self.byteCount = byteCount
            self.isUTF16 = isUTF16
        }
    }

    /// The range of the references of a list.
    package struct Children: Sendable {
        package let start: Int
        /// The number of elements or pairs.
        package let count: Int

        package init(start: Int, count: Int) {
            self.start = start
            self.count = count
        }
    }
}
