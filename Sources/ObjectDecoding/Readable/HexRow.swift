/// One row of a hex dump: its offset, its bytes, and the ASCII characters among them.
enum HexRow {
    static func text(_ bytes: [UInt8], row: Int) -> String {
        let start = row * DecodedOutline.bytesPerRow
        if row == DecodedOutline.rowLimit { return "… \((bytes.count - start).grouped) more bytes" }
        let inside = bytes[start..<min(start + DecodedOutline.bytesPerRow, bytes.count)]
        let number = String(start, radix: 16)
        var text = String(repeating: "0", count: max(0, 8 - number.utf8.count)) + number + " "
        for place in 0..<DecodedOutline.bytesPerRow {
            if place == 8 { text += " " }
            text += place < inside.count ? " " + Hex.text(CollectionOfOne(bytes[start + place])) : "   "
        }
        let characters = inside.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: ".") }
        return text + "  " + String(decoding: characters, as: UTF8.self)
    }
}
