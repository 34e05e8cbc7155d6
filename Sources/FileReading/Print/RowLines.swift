import ByteFormats
import ObjectDecoding

/// Formats rows as lines. Each thread uses a copy of its own.
struct RowLines: Sendable {
    let format: PrintFormat
    /// Whether rows have a group and an index in it.
    let isGrouped: Bool
    /// Whether the output is a terminal; then control characters are escaped in every format.
    let isForTerminal: Bool
    /// The width of each plain column but the last, in characters.
    var widths: [Int] = []
    /// Whether a line contains a mark for something missing.
    private(set) var isPartial = false
    /// A buffer for JSON that becomes a field of another format.
    private var scratch: [UInt8] = []

    init(_ format: PrintFormat, isGrouped: Bool, isForTerminal: Bool) {
        self.format = format
        self.isGrouped = isGrouped
        self.isForTerminal = isForTerminal
    }

    /// The header line; nil in a format without one.
    var names: [UInt8]? {
        let names =
            (isGrouped ? ["group", "index"] : []) + ["collection", "key", "rowid", "size", "metadata", "object"]
        return format == .csv ? CSV.line(names) : format == .markdown ? Markdown.head(names) : nil
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
                    let width = TerminalSafe.characters(lines[start...])
                    lines.append(contentsOf: repeatElement(0x20, count: max(0, widths[place] - width) + 2))
                }
                place += 1
            }
            lines.append(0x0A)
        }
    }

    /// Widens the plain columns, up to a limit, to fit the row.
    mutating func widen(to row: ListedRow, limit: Int) {
        var fields: [Int] = []
        eachField(of: row) { field in
            var line: [UInt8] = []
            TerminalSafe.append(line: field, to: &line)
            fields.append(TerminalSafe.characters(line[...]))
        }
        if widths.isEmpty { widths = Array(repeating: 0, count: fields.count - 1) }
        for place in widths.indices { widths[place] = min(limit, max(widths[place], fields[place])) }
    }

    /// Calls `body` with the text of each column: values as JSON, and last the object or its replacement.
    private mutating func eachField(of listed: ListedRow, _ body: (UnsafeRawBufferPointer) -> Void) {
        eachShortField(of: listed, body)
        let row = listed.row
        give(json: row.metadata, of: listed, body)
        if row.error != nil || row.address == nil || !row.columns.isEmpty {
            give(text: content(of: listed), body)
        } else {
            give(json: row.object, of: listed, body)
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
        guard row.error == nil, row.address != nil, row.columns.isEmpty, format != .markdown else {
            var line: [UInt8] = []
            append(listed, to: &line)
            return try write(line)
        }
        var short: [UInt8] = []
        var widths = widths
        eachShortField(of: listed) { field in
            if format == .csv {
                CSV.append(field, isForTerminal: isForTerminal, to: &short)
                short.append(UInt8(ascii: ","))
            } else {
                let start = short.count
                TerminalSafe.append(line: field, to: &short)
                let width = TerminalSafe.characters(short[start...])
                short.append(contentsOf: repeatElement(0x20, count: max(0, (widths.first ?? 0) - width) + 2))
                if !widths.isEmpty { widths.removeFirst() }
            }
        }
        try write(short)
        for (value, end) in [(row.metadata, format == .csv ? "," : "  "), (row.object, format == .csv ? "\r\n" : "\n")]
        {
            if let value { try stream(value, of: listed, write) }
            try write(Array(end.utf8))
        }
    }

    private mutating func stream(
        _ value: StoredValue, of listed: ListedRow, _ write: @escaping ([UInt8]) throws -> Void
    ) throws {
        let (format, isForTerminal) = (format, isForTerminal)
        var output = JSONOutput(isTerminalSafe: false) { piece in
            var text: [UInt8] = []
            piece.withUnsafeBytes { piece in
                if format == .csv {
                    CSV.append(quoted: piece, isForTerminal: isForTerminal, to: &text)
                } else {
                    TerminalSafe.append(line: piece, to: &text)
                }
            }
            try write(text)
        }
        if format == .csv { try write([UInt8(ascii: "\"")]) }
        listed.decoder.write(value, of: listed.row, to: &output)
        try end(&output)
        if format == .csv { try write([UInt8(ascii: "\"")]) }
    }

    private mutating func end(_ output: inout JSONOutput) throws {
        output.flush()
        if output.isPartial { isPartial = true }
        if let failure = output.failure { throw failure }
    }
}
