import ByteFormats
import ObjectDecoding

/// How rows are printed where there is no screen.
package enum PrintFormat: String, CaseIterable, Sendable {
    /// A JSON object a line.
    case json
    /// As RFC 4180 has it, with a line of names at the top.
    case csv
    /// Columns of text, in which control characters can be seen.
    case plain
}

/// Turns rows into lines, one after the other.
///
/// Plain columns are as wide as the first rows ask for; what is longer later sticks out. Memory is that of those rows.
package struct RowPrinter {
    private let format: PrintFormat
    private let isGrouped: Bool
    private let write: ([UInt8]) throws -> Void
    private var waiting: [[String]] = []
    private var widths: [Int]?
    /// Rows that decide how wide columns are.
    private static let sample = 100
    /// The widest column, but for the last.
    private static let columnLimit = 48

    /// - Parameters:
    ///   - isGrouped: whether rows have a group and an index in it.
    ///   - write: takes whole lines.
    package init(_ format: PrintFormat, isGrouped: Bool, write: @escaping ([UInt8]) throws -> Void) {
        self.format = format
        self.isGrouped = isGrouped
        self.write = write
    }

    package mutating func begin() throws {
        if format == .csv { try write(CSV.line(Self.names(isGrouped))) }
    }

    package mutating func print(_ row: ListedRow) throws {
        switch format {
        case .json:
            var bytes: [UInt8] = []
            row.appendJSON(to: &bytes)
            bytes = TerminalSafe.json(bytes)
            bytes.append(UInt8(ascii: "\n"))
            try write(bytes)
        case .csv: try write(CSV.line(row.fields(isGrouped)))
        case .plain:
            let fields = row.fields(isGrouped).map(TerminalSafe.line)
            if widths != nil { return try write(line(fields)) }
            waiting.append(fields)
            if waiting.count == Self.sample { try flush() }
        }
    }

    package mutating func end() throws { try flush() }

    private static func names(_ isGrouped: Bool) -> [String] {
        (isGrouped ? ["group", "index"] : []) + ["collection", "key", "rowid", "size", "metadata", "object"]
    }

    /// Prints what waited for its width.
    private mutating func flush() throws {
        guard !waiting.isEmpty else { return }
        let columns = waiting[0].indices.dropLast()
        widths = columns.map { column in min(Self.columnLimit, waiting.map { $0[column].count }.max() ?? 0) }
        for fields in waiting { try write(line(fields)) }
        waiting = []
    }

    private func line(_ fields: [String]) -> [UInt8] {
        var text = ""
        for (field, width) in zip(fields, widths ?? []) {
            text += field + String(repeating: " ", count: max(0, width - field.count) + 2)
        }
        return Array((text + (fields.last ?? "") + "\n").utf8)
    }
}

/// Lines of RFC 4180.
enum CSV {
    static func line(_ fields: [String]) -> [UInt8] {
        Array((fields.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }) else { return field }
        return "\"" + field.replacing("\"", with: "\"\"") + "\""
    }
}
