import ByteFormats
import FileEngine
import ObjectDecoding

/// A value and the number of rows that have it, as a line.
package struct ValueCount {
    private let value: SQLValue
    private let count: Int

    package init(_ value: SQLValue, _ count: Int) { (self.value, self.count) = (value, count) }

    package func line(_ format: PrintFormat, isForTerminal: Bool) -> [UInt8] {
        switch format {
        case .json:
            var json = JSONObject()
            json.add("value") { decoded.appendJSON(to: &$0) }
            json.add("count", count)
            return TerminalSafe.json(json.closed()) + [0x0A]
        case .csv:
            let text = "\(text)"
            let quoted = text.contains { "\",\n\r".contains($0) } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
            return Array((isForTerminal ? TerminalSafe.line(quoted) : quoted).utf8) + Array(",\(count)\r\n".utf8)
        case .plain:
            let number = String(count)
            let padding = String(repeating: " ", count: max(0, Self.width - number.count))
            return Array("\(padding)\(number)  \(TerminalSafe.line(value == .null ? "missing" : text))\n".utf8)
        }
    }

    private static let width = 10

    private var text: String {
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        case .blob(let bytes): Hex.text(bytes)
        }
    }

    private var decoded: DecodedValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .double(number)
        case .text(let text): .string(text)
        case .blob(let bytes): .data(bytes)
        }
    }
}
