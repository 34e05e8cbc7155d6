import ObjectDecoding

extension SearchText {
    /// Whether one of a row's decoded values contains the text.
    func isFound(in row: BrowsedRow, _ decoder: RowDecoder) -> Bool {
        for value in [row.object, row.metadata] {
            if let bytes = value?.bytes, bytes.withUnsafeBytes(isSurelyMissing) { continue }
            var text: [UInt8] = []
            decoder.appendSearchText(value, of: row, to: &text)
            if text.withUnsafeBytes({ isFound(in: $0) }) { return true }
        }
        return false
    }

    /// Whether JSON cannot contain the text because its bytes do not: except for escapes, JSON holds text literally.
    private func isSurelyMissing(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 8, bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "["), bytes[1] != 0,
            !hasLineBreak
        else { return false }
        return !bytes.contains(UInt8(ascii: "\\")) && !isFound(in: bytes)
    }
}
