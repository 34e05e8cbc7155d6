import ByteFormats

/// The container format of stored bytes, recognized by marks that survive a few damaged bytes.
package enum ContainerKind: String, CaseIterable, Sendable {
    case propertyList = "property list"
    case gzip = "compressed value"
    case json = "JSON text"

    /// Returns the intended format, judged by the beginning and the end of the bytes; nil if they show none.
    static func meant(_ bytes: UnsafeRawBufferPointer) -> ContainerKind? {
        if isMeantAsPropertyList(bytes) { return .propertyList }
        if bytes.count > 18, matches(bytes, [0x1f, 0x8b, 0x08]) >= 2 { return .gzip }
        return isMeantAsJSON(bytes) ? .json : nil
    }

    /// Six of the eight bytes at the beginning match, or the numbers at the end, which are consistent in no other
    /// format.
    private static func isMeantAsPropertyList(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if matches(bytes, PropertyListTable.magic) >= 6 { return true }
        guard bytes.count > PropertyListTable.trailerSize + 8 else { return false }
        let trailer = bytes.count - PropertyListTable.trailerSize
        func number(_ place: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: trailer + place, as: UInt64.self))
        }
        let (width, count, start) = (UInt64(bytes[trailer + 6]), number(8), number(24))
        guard (1...8).contains(width), count > 0, count < UInt64(trailer), start < UInt64(trailer) else { return false }
        return start + count * width == UInt64(trailer)
    }

    /// Text in braces or brackets, one of which may be damaged.
    private static func isMeantAsJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first(where: { !isSpace($0) }), let last = bytes.last(where: { !isSpace($0) }),
            bytes.count > 1
        else { return false }
        let (begins, ends) = (first == 0x7B || first == 0x5B, last == 0x7D || last == 0x5D)
        guard begins || ends else { return false }
        // A single brace may end any text; quoted names are JSON's.
        return begins && ends || bytes.prefix(200).contains(0x22)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func matches(_ bytes: UnsafeRawBufferPointer, _ magic: [UInt8]) -> Int {
        zip(bytes, magic).count { $0 == $1 }
    }
}

extension ObjectDecoder {
    /// Returns what is wrong with bytes of an intended format, in a sentence; nil if nothing is.
    package func problem(_ bytes: UnsafeRawBufferPointer, meantAs kind: ContainerKind) -> String? {
        var none = NoSink()
        if (try? stream(bytes, to: &none, layer: 0)) != nil {
            switch kind {
            case .propertyList where !bytes.starts(with: PropertyListTable.magic), .gzip where !Inflate.mayBegin(bytes):
                break
            case .json
            where (try? JSONStream.write(UnsafeRawBufferPointer(rebasing: PlainText.withoutMark(bytes)), to: &none))
                == nil:
                break
            default: return nil
            }
        }
        var whole = self
        whole.options = options.whole(bytes.count)
        let object = whole.decode(bytes)
        let format: Set<ObjectFormat> =
            switch kind {
            case .propertyList: [.plist, .archive]
            case .gzip: [.gzip]
            case .json: [.json]
            }
        if let error = object.error { return error }
        return format.contains(object.formats.first ?? .hex) ? nil : "The bytes are not valid \(kind.rawValue)."
    }

    /// Returns the intended format of the bytes, if they show one.
    package static func meant(_ bytes: UnsafeRawBufferPointer) -> ContainerKind? { ContainerKind.meant(bytes) }
}
