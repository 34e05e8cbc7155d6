extension DecodedValue {
    /// Appends the text that a search examines: strings, names of fields, numbers, dates, URLs and UUIDs, each followed
    /// by a line break. Stops soon after `limit` bytes.
    ///
    /// - Complexity: O(size), at most O(limit)
    package func appendSearchText(to bytes: inout [UInt8], limit: Int = 1 << 20) {
        guard bytes.count < limit else { return }
        switch self {
        case .string(let text), .url(let text), .number(let text): bytes.append(line: text.shortened(to: limit))
        case .integer, .unsigned, .double, .date, .uuid: bytes.append(line: scalarText)
        case .array(let values), .set(let values):
            for value in values where bytes.count < limit { value.appendSearchText(to: &bytes, limit: limit) }
        case .dictionary(let fields), .object(_, let fields):
            for field in fields where bytes.count < limit {
                field.key.appendSearchText(to: &bytes, limit: limit)
                field.value.appendSearchText(to: &bytes, limit: limit)
            }
        case .null, .bool, .data, .reference, .bytes, .damaged, .omitted: break
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(line text: String) {
        append(text)
        append(0x0A)
    }
}
