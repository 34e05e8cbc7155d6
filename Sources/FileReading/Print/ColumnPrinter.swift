import ByteFormats
import FileEngine
import ObjectDecoding

/// Formats chosen columns of rows as lines, on several threads and in order. A column is an expression, mostly the name of a field.
package final class ColumnPrinter {
    private let names: [String]
    private let format: PrintFormat
    private let isForTerminal: Bool
    private let evaluators: RowEvaluators
    private let work: OrderedWork<Result<[UInt8], any Error>>
    private let write: ([UInt8]) throws -> Void
    private var batch: [BrowsedRow] = []
    private var batchBytes = 0

    /// The most rows, and bytes of values, that a thread processes at once.
    private static let (maxRows, maxBytes) = (256, 1 << 18)

    /// - Parameter columns: separated by commas; those in parentheses and quotes separate nothing.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if a column is wrong.
    package convenience init(
        columns: String, _ format: PrintFormat, isForTerminal: Bool, write: @escaping ([UInt8]) throws -> Void
    ) throws {
        let expressions = Self.split(columns)
        try self.init(expressions.map { ($0, $0) }, format, isForTerminal: isForTerminal, write: write)
    }

    /// - Parameters:
    ///   - columns: what each is called, and its expression.
    ///   - decoder: decodes the values that fields are in.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if a column is wrong.
    init(
        _ columns: [(name: String, expression: String)], _ format: PrintFormat, isForTerminal: Bool = false,
        decoder: RowDecoder = RowDecoder(), write: @escaping ([UInt8]) throws -> Void
    ) throws {
        names = columns.map(\.name)
        (self.format, self.isForTerminal, self.write) = (format, isForTerminal, write)
        evaluators = RowEvaluators(try RowExpressions(columns.map(\.expression), decoder: decoder))
        work = OrderedWork { try write($0.get()) }
    }

    package func begin() throws {
        if format == .csv { try write(CSV.line(names, isForTerminal: isForTerminal)) }
        if format == .markdown { try write(Markdown.head(names)) }
    }

    package func print(_ row: BrowsedRow) throws {
        batch.append(row)
        batchBytes += (row.object?.size ?? 0) + (row.metadata?.size ?? 0)
        if batch.count >= Self.maxRows || batchBytes >= Self.maxBytes { try give() }
    }

    /// Prints the rows added so far.
    package func flush() throws {
        try give()
        try work.finish()
    }

    /// What is to be said of the rows so far.
    package var remarks: ExpressionRemarks { evaluators.remarks }

    private func give() throws {
        guard !batch.isEmpty else { return }
        let (rows, evaluators, names, format, isForTerminal) = (batch, evaluators, names, format, isForTerminal)
        (batch, batchBytes) = ([], 0)
        try work.add {
            Result { try evaluators.columns(of: rows).flatMap { Self.line(names, $0, format, isForTerminal) } }
        }
    }

    private static func line(
        _ names: [String], _ values: [ColumnValue], _ format: PrintFormat, _ isForTerminal: Bool
    ) -> [UInt8] {
        switch format {
        case .json:
            var json = JSONObject()
            for (name, value) in zip(names, values) { json.add(name) { value.decoded.appendJSON(to: &$0) } }
            return TerminalSafe.json(json.closed()) + [0x0A]
        case .csv: return CSV.line(values.map(\.text), isForTerminal: isForTerminal)
        case .markdown: return Markdown.line(values.map(\.text))
        case .plain: return Array((values.map { TerminalSafe.line($0.text) }.joined(separator: "\t") + "\n").utf8)
        }
    }

    /// Splits at commas outside of quotes and parentheses.
    private static func split(_ text: String) -> [String] {
        // By scalars, as SQLite reads them: a quotation mark with a combining mark behind it is one, too.
        var (parts, depth, quote) = ([String.UnicodeScalarView()], 0, Unicode.Scalar?.none)
        for character in text.unicodeScalars {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "(" || character == ")" {
                depth += character == "(" ? 1 : -1
            } else if character == ",", depth == 0 {
                parts.append(String.UnicodeScalarView())
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { part in
            let end = part.lastIndex { $0 != " " }.map(part.index(after:)) ?? part.startIndex
            return String(part[..<end].drop { $0 == " " })
        }
    }
}

extension ColumnValue {
    fileprivate var text: String { number ?? value.columnText }
    fileprivate var decoded: DecodedValue { number.map(DecodedValue.number) ?? value.decoded }
}

extension SQLValue {
    /// The value as text, as a field of a line has it.
    package var text: String { columnText }

    /// As a field of a line; nothing for NULL.
    var columnText: String {
        switch self {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        case .blob(let bytes): Hex.text(bytes)
        }
    }

    var decoded: DecodedValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .double(number)
        case .text(let text): .string(text)
        case .blob(let bytes): .data(bytes)
        }
    }
}
