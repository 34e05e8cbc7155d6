extension DecodedValue {
    /// Returns the value in one line, for a list: a string as it is, an object as its class and its fields. Leaves out
    /// what exceeds `limit` bytes.
    ///
    /// - Complexity: O(limit)
    package func summary(limit: Int = 200) -> String {
        if case .string(let text) = self { return text.shortened(to: limit) }
        var summary = Summary(limit: limit)
        summary.add(self, levels: 3)
        return summary.text.shortened(to: limit)
    }
}

private struct Summary {
    let limit: Int
    var text = ""

    private var isFull: Bool { text.utf8.count > limit }

    mutating func add(_ value: DecodedValue, levels: Int) {
        switch value {
        case .string(let string): text += "\"\(string.shortened(to: limit))\""
        case .array, .set, .dictionary, .object: addContainer(value, levels: levels)
        case .url(let url): text += url.shortened(to: limit)
        case .damaged, .omitted: text += "…"
        default: text += value.scalarText
        }
    }

    private mutating func addContainer(_ value: DecodedValue, levels: Int) {
        text += value.lineText(isOpen: true).replacing("set [", with: "[")
        if levels == 0, value.childCount > 0 { text += "…" }
        for index in 0..<(levels == 0 ? 0 : value.childCount) {
            if index > 0 { text += ", " }
            guard !isFull else { return }
            if let key = value.fields?[index].key {
                add(name: key)
                text += ": "
            }
            add(value.child(index), levels: levels - 1)
        }
        text += value.closing
    }

    private mutating func add(name key: DecodedValue) {
        if case .string(let name) = key { text += name.shortened(to: limit) } else { add(key, levels: 0) }
    }
}

extension String {
    /// Returns at most `limit` bytes of the text, with a mark if there are more.
    func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}

extension DecodedValue {
    /// The names of the fields that may be columns of a list, in their order; empty for a value without fields.
    package var columnNames: [String] { fields?.compactMap(\.name) ?? [] }

    /// The field of that name as short text; nil if there is none. Of several the first counts.
    ///
    /// - Complexity: O(fields + limit)
    package func column(_ name: String, limit: Int = 80) -> String? {
        fields?.first { $0.name?.utf8.elementsEqual(name.utf8) == true }?.value.summary(limit: limit)
    }
}
