extension DecodedValue {
    /// Appends the text that a search examines: strings, names of fields, numbers, dates, URLs and UUIDs, each followed
    /// by a line break. Stops soon after `limit` bytes.
    ///
    /// - Complexity: O(size), at most O(limit)
    /// - Parameter content: appends the text of data that has a format of its own.
    package func appendSearchText(
        to bytes: inout [UInt8], limit: Int = 1 << 20,
        content: (_ data: [UInt8], _ text: inout [UInt8]) -> Void = { _, _ in }
    ) {
        guard bytes.count < limit else { return }
        switch self {
        case .string(let text), .url(let text), .number(let text): bytes.append(line: text.shortened(to: limit))
        case .integer, .unsigned, .double, .date, .uuid: bytes.append(line: scalarText)
        case .array(let values), .set(let values):
            for value in values where bytes.count < limit {
                value.appendSearchText(to: &bytes, limit: limit, content: content)
            }
        case .dictionary(let fields), .object(_, let fields):
            for field in fields where bytes.count < limit {
                field.key.appendSearchText(to: &bytes, limit: limit, content: content)
                field.value.appendSearchText(to: &bytes, limit: limit, content: content)
            }
        case .data(let data): content(data, &bytes)
        case .null, .bool, .reference, .bytes, .damaged, .omitted: break
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(line text: String) {
        append(text)
        append(0x0A)
    }
}
