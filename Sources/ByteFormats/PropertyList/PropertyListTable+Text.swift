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
