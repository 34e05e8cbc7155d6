import ByteFormats
import Foundation

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

/// Appends values that JSON has no form for.
extension [UInt8] {
    mutating func append(tagged value: DecodedValue) {
        append("{")
        switch value {
        case .data(let data):
            append(#""$data":""#)
            Base64.append(data, to: &self)
            append("\"")
        case .date(let date):
            if let text = ISODate.text(date) {
                append("$date", text)
            } else {
                append(#""$secondsSince2001":"#)
                appendJSON(date.timeIntervalSinceReferenceDate)
            }
        case .uuid(let uuid): append("$uuid", uuid.uuidString)
        case .url(let url): append("$url", url)
        case .set(let values):
            append(#""$set":"#)
            appendJSON(values)
        case .object(let name, let fields):
            append("$class", name)
            append(members: fields, isFirst: false)
        case .reference(let path): append("$ref", path.description)
        case .bytes(let bytes, let error): append(hex: bytes, error: error)
        case .damaged(let problem): append("error", problem)
        case .omitted(let text): append("$omitted", text)
        case .null, .bool, .integer, .unsigned, .number, .double, .string, .array, .dictionary:
            fatalError("JSON has a form for \(value).")
        }
        append("}")
    }

    private mutating func append(_ tag: String, _ text: String) {
        append("\"\(tag)\":")
        appendJSON(text)
    }

    private mutating func append(hex bytes: [UInt8], error: String?) {
        append(#""$hex":""#)
        Hex.append(bytes, to: &self)
        append("\"")
        if let error {
            append(",")
            append("error", error)
        }
    }
}
