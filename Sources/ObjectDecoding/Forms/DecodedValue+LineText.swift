extension DecodedValue {
    /// Returns the text of the line that shows the value or begins it.
    func lineText(isOpen: Bool) -> String {
        switch self {
        case .array, .set, .dictionary, .object: return isOpen ? opening : closedText
        case .string(let text): return isOpen ? "text" : "\"\(text.cut(0..<text.utf8.count))\""
        case .bytes(let bytes, let error):
            if let error { return "\(bytes.count.sized): \(error)" }
            let image = ImageHeader(bytes).map { "\($0.kind.rawValue) image, \($0.width) × \($0.height), " }
            return (image ?? "") + bytes.count.sized
        default: return scalarText
        }
    }

    /// The end of a container.
    var closing: String {
        switch self {
        case .dictionary, .object: "}"
        default: "]"
        }
    }

    private var opening: String {
        switch self {
        case .object(let name, _): "\(name) {"
        case .dictionary: "{"
        case .set: "set ["
        default: "["
        }
    }

    private var closedText: String {
        guard childCount > 0 else { return opening + closing }
        let word = fields == nil ? "value" : "field"
        return "\(opening) \(childCount.grouped) \(word)\(childCount == 1 ? "" : "s") \(closing)"
    }

    /// The text of a value without children.
    var scalarText: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let integer): integer.description
        case .unsigned(let integer): integer.description
        case .double(let double): double.description
        case .number(let text): text.cut(0..<text.utf8.count)
        case .data(let data): data.dataText
        case .date(let date):
            ISODate.text(date, separator: " ", zone: "") ?? "\(date.timeIntervalSinceReferenceDate) s since 2001"
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): "<\(url.cut(0..<url.utf8.count))>"
        case .reference(let path): "→ \(path)"
        case .damaged(let problem): "damaged: \(problem)"
        case .omitted(let text): "… \(text)"
        case .string(let text): text
        case .bytes(let bytes, _): bytes.dataText
        case .array, .set, .dictionary, .object: closedText
        }
    }
}

extension [UInt8] {
    /// The size, and the first bytes.
    fileprivate var dataText: String {
        isEmpty ? "0 bytes" : "\(count.sized)  \(Hex.text(prefix(16)))\(count > 16 ? "…" : "")"
    }
}

extension Int {
    /// The number of bytes with its unit.
    fileprivate var sized: String { self == 1 ? "1 byte" : "\(grouped) bytes" }
}

extension String {
    /// The most bytes of a text that one line shows.
    private static let lineLimit = 2_000

    /// Returns a range of the bytes as text, or the beginning of it with a mark that there is more.
    func cut(_ range: Range<Int>) -> String {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        guard range.count > Self.lineLimit else {
            return String(self[start..<utf8.index(start, offsetBy: range.count)])
        }
        var end = utf8.index(start, offsetBy: Self.lineLimit)
        while end > start, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[start..<end]) + "…"
    }
}
