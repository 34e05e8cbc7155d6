import ByteFormats
import Foundation

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
