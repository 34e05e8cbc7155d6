import ByteFormats
import ListChanges
import ObjectDecoding

/// Formats rows as lines. Each thread uses a copy of its own.
struct RowLines: Sendable {
    let format: PrintFormat
    /// Whether rows have a group and an index in it.
    let isGrouped: Bool
    /// Whether the output is a terminal; then control characters are escaped in every format.
    let isForTerminal: Bool
    /// The columns of the list's own table, each of which is a field; nil if they are part of the last field.
    let columns: OwnColumns?
    /// The width of each plain column but the last, in characters.
    private var widths: [Int]
    /// Whether a line contains a mark for something missing.
    private(set) var isPartial = false
    /// A buffer for JSON that becomes a field of another format.
    private var scratch: [UInt8] = []

    init(_ format: PrintFormat, isGrouped: Bool, isForTerminal: Bool, columns: OwnColumns? = nil) {
        self.format = format
        self.isGrouped = isGrouped
        self.isForTerminal = isForTerminal
        // Plain text has no line with names, so each value has its own.
        self.columns = format == .plain ? nil : columns
        widths = Array(repeating: 0, count: Self.fields(isGrouped: isGrouped).count - 1)
    }

    private static func fields(isGrouped: Bool) -> [String] {
        (isGrouped ? ["group", "index"] : []) + ["collection", "key", "rowid", "size", "metadata", "object"]
    }

    /// The header line; nil in a format without one.
    var names: [UInt8]? {
        let fields = Self.fields(isGrouped: isGrouped)
        let names = columns?.fields(with: fields) ?? fields
        return switch format {
        case .csv: CSV.line(names, isForTerminal: isForTerminal)
        case .markdown: Markdown.head(names)
        case .json, .plain: nil
        }
    }

    /// Appends the line of a row, with its line break.
    mutating func append(_ row: ListedRow, to lines: inout [UInt8]) {
        switch format {
        case .json:
            var output = JSONOutput(isTerminalSafe: true)
            swap(&output.bytes, &lines)
            row.write(to: &output)
            output.append("\n")
            swap(&output.bytes, &lines)
            if output.isPartial { isPartial = true }
        case .csv:
            var isFirst = true
            let isForTerminal = isForTerminal
            eachField(of: row) { field in
                if !isFirst { lines.append(UInt8(ascii: ",")) }
                isFirst = false
                CSV.append(field, isForTerminal: isForTerminal, to: &lines)
            }
            lines += [0x0D, 0x0A]
        case .markdown:
            lines.append(UInt8(ascii: "|"))
            eachField(of: row) { Markdown.append($0, to: &lines) }
            lines.append(0x0A)
        case .plain:
            let widths = widths
            var place = 0
            eachField(of: row) { field in
                let start = lines.count
                TerminalSafe.append(line: field, to: &lines)
                if place < widths.count {
                    lines += Self.padding(to: widths[place], after: TerminalSafe.characters(lines[start...]))
                }
                place += 1
            }
            lines.append(0x0A)
        }
    }

    /// What separates a plain column from the next one.
    private static func padding(to width: Int, after characters: Int) -> [UInt8] {
        Array(repeating: 0x20, count: max(0, width - characters) + 2)
    }

    /// Metadata with more bytes are not measured.
    private static let measuredBytes = 1 << 16

    /// Widens the plain columns, up to a limit, to fit the row, whatever the size of its values.
    mutating func widen(to row: ListedRow, limit: Int) {
        var fields: [Int] = []
        func measure(_ field: UnsafeRawBufferPointer) {
            var line: [UInt8] = []
            TerminalSafe.append(line: field, to: &line)
            fields.append(TerminalSafe.characters(line[...]))
        }
        eachShortField(of: row, measure)
        if let metadata = row.row.metadata, metadata.size <= Self.measuredBytes {
            give(json: metadata, of: row, measure)
        }
        for (place, field) in zip(widths.indices, fields) { widths[place] = min(limit, max(widths[place], field)) }
    }

    /// Calls `body` with the text of each column: values as JSON, and last the object or its replacement.
    private mutating func eachField(of listed: ListedRow, _ body: (UnsafeRawBufferPointer) -> Void) {
        let row = listed.row
        switch columns {
        case .alone(let names): return eachColumn(names, of: row, error: row.error, body)
        case .ofEdges(let names):
            give(text: String(row.rowid), body)
            return eachColumn(names, of: row, error: row.error, body)
        case .besideRow, nil: break
        }
        eachShortField(of: listed, body)
        give(json: row.metadata, of: listed, body)
        if case .besideRow(let names) = columns {
            // What is wrong with the row stands in place of its object.
            eachColumn(names, of: row, error: nil, body)
            if let error = row.error {
                give(text: error, body)
            } else {
                give(json: row.object, of: listed, body)
            }
        } else if row.error != nil || row.address == nil || !row.columns.isEmpty {
            give(text: content(of: listed), body)
        } else {
            give(json: row.object, of: listed, body)
        }
    }

    /// Calls `body` with the text of each column of a table, as chosen columns have it: nothing for NULL, bytes as
    /// hexadecimal digits. The first one that cannot be read says why.
    private mutating func eachColumn(
        _ columns: [String], of row: BrowsedRow, error: String?, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        var (rest, error) = (row.columns[...], error)
        if row.error != nil || rest.contains(where: { !$0.value.isWhole }) { isPartial = true }
        for name in columns {
            guard let column = rest.first, column.name.hasSameBytes(as: name) else {
                give(text: error ?? "", body)
                error = nil
                continue
            }
            rest.removeFirst()
            switch column.value.content {
            case .null: give(text: "", body)
            case .integer, .real: give(text: column.value.text, body)
            case .text(let bytes): bytes.withUnsafeBytes(body)
            case .blob(let bytes): give(text: Hex.text(bytes), body)
            }
        }
    }

    /// Calls `body` with the text of each column before the metadata.
    private func eachShortField(of listed: ListedRow, _ body: (UnsafeRawBufferPointer) -> Void) {
        let row = listed.row
        if isGrouped {
            give(text: listed.group ?? "", body)
            give(text: listed.index.map { String($0) } ?? "", body)
        }
        for name in [row.address?.collection, row.address?.key] {
            guard let name else {
                give(text: "", body)
                continue
            }
            let isText = name.bytes.withUnsafeBytes { bytes in
                let isUTF8 = bytes.isUTF8
                if isUTF8 { body(bytes) }
                return isUTF8
            }
            if !isText { give(text: name.text, body) }
        }
        give(text: String(row.rowid), body)
        give(text: row.object.map { String($0.size) } ?? "", body)
    }

    private mutating func content(of listed: ListedRow) -> String {
        if let error = listed.row.error {
            isPartial = true
            return error
        }
        let columns = listed.row.columns.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
        guard listed.row.object != nil else { return columns }
        var json = ""
        give(json: listed.row.object, of: listed) { json = String(decoding: $0, as: UTF8.self) }
        return "\(columns) \(json)"
    }

    private func give(text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
        var text = text
        text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    private mutating func give(
        json value: StoredValue?, of listed: ListedRow, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard let value else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        var output = JSONOutput(isTerminalSafe: false)
        swap(&output.bytes, &scratch)
        output.bytes.removeAll(keepingCapacity: true)
        listed.decoder.write(value, of: listed.row, to: &output)
        output.bytes.withUnsafeBytes(body)
        swap(&output.bytes, &scratch)
        if output.isPartial { isPartial = true }
    }
}

extension RowLines {
    /// Writes the line of a row in pieces, if the row is too large to be held several times.
    mutating func stream(_ listed: ListedRow, _ write: @escaping ([UInt8]) throws -> Void) throws {
        if format == .json {
            var output = JSONOutput(isTerminalSafe: true, drain: write)
            listed.write(to: &output)
            output.append("\n")
            return try end(&output)
        }
        let row = listed.row
        guard row.error == nil, row.address != nil, columns == nil, row.columns.isEmpty, format != .markdown else {
            var line: [UInt8] = []
            append(listed, to: &line)
            return try write(line)
        }
        var short: [UInt8] = []
        var widths = widths[...]
        eachShortField(of: listed) { field in
            if format == .csv {
                CSV.append(field, isForTerminal: isForTerminal, to: &short)
                short.append(UInt8(ascii: ","))
            } else {
                let start = short.count
                TerminalSafe.append(line: field, to: &short)
                short += Self.padding(to: widths.removeFirst(), after: TerminalSafe.characters(short[start...]))
            }
        }
        try write(short)
        let width = try row.metadata.map { try stream($0, of: listed, isMeasured: format == .plain, write) } ?? 0
        try write(format == .csv ? [UInt8(ascii: ",")] : Self.padding(to: widths.removeFirst(), after: width))
        if let object = row.object { try stream(object, of: listed, isMeasured: false, write) }
        try write(format == .csv ? [0x0D, 0x0A] : [0x0A])
    }

    /// - Parameter isMeasured: whether the characters are counted, for a column that is not the last.
    /// - Returns: the number of characters of plain text.
    @discardableResult
    private mutating func stream(
        _ value: StoredValue, of listed: ListedRow, isMeasured: Bool, _ write: @escaping ([UInt8]) throws -> Void
    ) throws -> Int {
        let (format, isForTerminal) = (format, isForTerminal)
        var width = 0
        var output = JSONOutput(isTerminalSafe: false) { piece in
            var text: [UInt8] = []
            piece.withUnsafeBytes { piece in
                if format == .csv {
                    CSV.append(quoted: piece, isForTerminal: isForTerminal, to: &text)
                } else {
                    TerminalSafe.append(line: piece, to: &text)
                    if isMeasured { width += TerminalSafe.characters(text[...]) }
                }
            }
            try write(text)
        }
        if format == .csv { try write([UInt8(ascii: "\"")]) }
        listed.decoder.write(value, of: listed.row, to: &output)
        try end(&output)
        if format == .csv { try write([UInt8(ascii: "\"")]) }
        return width
    }

    private mutating func end(_ output: inout JSONOutput) throws {
        output.flush()
        if output.isPartial { isPartial = true }
        if let failure = output.failure { throw failure }
    }
}
