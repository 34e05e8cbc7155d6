extension JSON {
    /// The value as UTF-8 text without a line break.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += value ? "true".utf8 : "false".utf8
        case .integer(let value): bytes += String(value).utf8
        case .number(let value):
            precondition(value.isFinite, "JSON has no way to write \(value).")
            bytes += String(value).utf8
        case .string(let value): bytes.appendJSON(value)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.appendJSON(member.name)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension JSON: CustomStringConvertible {
    /// The value as text.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
