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
            json.add("value") { value.decoded.appendJSON(to: &$0) }
            json.add("count", count)
            return TerminalSafe.json(json.closed()) + [0x0A]
        case .csv: return CSV.line([value.columnText, String(count)], isForTerminal: isForTerminal)
        case .markdown: return Markdown.line([value == .null ? "missing" : value.columnText, String(count)])
        case .plain:
            let number = String(count)
            let padding = String(repeating: " ", count: max(0, Self.width - number.count))
            let text = value == .null ? "missing" : TerminalSafe.line(value.columnText)
            return Array("\(padding)\(number)  \(text)\n".utf8)
        }
    }

    /// The line above the counts; empty in a format without one.
    package static func head(_ format: PrintFormat, _ expression: String, isForTerminal: Bool) -> [UInt8] {
        switch format {
        case .markdown: Markdown.head([expression, "count"])
        case .csv: CSV.line([expression, "count"], isForTerminal: isForTerminal)
        case .json, .plain: []
        }
    }

    private static let width = 10
}
