import ByteFormats

extension [UInt8] {
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    mutating func appendJSON(_ double: Double) {
        if double.isFinite { return append(double.description) }
        append(#"{"$double":"\#(double.isNaN ? "nan" : double.description)"}"#)
    }

    mutating func appendJSON(_ values: [DecodedValue]) {
        append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { append(",") }
            value.appendJSON(to: &self)
        }
        append("]")
    }

    mutating func append(dictionary fields: [DecodedField]) {
        guard fields.allSatisfy(\.canBeMember) else { return append(pairs: fields) }
        append("{")
        append(members: fields, isFirst: true)
        append("}")
    }

    /// Appends fields with string keys, and a mark for those that were left out.
    mutating func append(members fields: [DecodedField], isFirst: Bool) {
        for (index, field) in fields.enumerated() {
            if index > 0 || !isFirst { append(",") }
            if case .omitted(let text) = field.key {
                append(#""$omitted":"#)
                appendJSON(text)
            } else {
                append(name: field.name ?? field.key.json)
                append(":")
                field.value.appendJSON(to: &self)
            }
        }
    }

    private mutating func append(name: String) { appendJSON(name.utf8.first == UInt8(ascii: "$") ? "$" + name : name) }

    private mutating func append(pairs fields: [DecodedField]) {
        append(#"{"$dictionary":["#)
        for (index, field) in fields.enumerated() {
            if index > 0 { append(",") }
            if case .omitted = field.key {
                field.key.appendJSON(to: &self)
            } else {
                appendJSON([field.key, field.value])
            }
        }
        append("]}")
    }
}

extension DecodedField {
    fileprivate var canBeMember: Bool {
        switch key {
        case .string, .omitted: true
        default: false
        }
    }
}
