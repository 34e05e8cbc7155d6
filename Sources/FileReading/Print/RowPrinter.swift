import FileEngine
import ObjectDecoding

/// The format of printed rows.
package enum PrintFormat: String, CaseIterable, Sendable {
    /// One JSON object a line.
    case json
    /// RFC 4180, with a header line.
    case csv
    /// Columns of text with visible control characters.
    case plain
    /// A table of GitHub Flavored Markdown.
    case markdown
}

/// Formats rows as lines on several threads and writes them in order.
///
/// The first rows determine the width of plain columns; longer values later stick out. Memory is that of a few batches
/// of rows, or of one larger row.
package final class RowPrinter {
    private let write: ([UInt8]) throws -> Void
    private let work: OrderedWork<(lines: [UInt8], isPartial: Bool)>
    private var lines: RowLines
    private var batch: [ListedRow] = []
    private var batchSize = 0
    private var isBegun: Bool
    private let state: State

    private final class State { var isPartial = false }

    /// The number of rows that determine the width of columns.
    private static let sample = 100
    /// The widest column, but for the last.
    private static let columnLimit = 48
    /// The most rows, and bytes of values, that a thread processes at once.
    private static let batchLimit = 256
    private static let batchBytes = 1 << 18
    /// A row with larger values is written in pieces.
    private static let largeRow = 1 << 20

    /// - Parameters:
    ///   - isGrouped: whether rows have a group and an index in it.
    ///   - isForTerminal: whether the output is a terminal; then control characters are escaped in every format.
    ///   - columns: those of the list's own table; nil for a list without. In CSV and Markdown they are fields of a line.
    ///   - write: gets whole lines, and a very long one in pieces.
    package init(
        _ format: PrintFormat, isGrouped: Bool, isForTerminal: Bool = false, columns: OwnColumns? = nil,
        write: @escaping ([UInt8]) throws -> Void
    ) {
        let state = State()
        self.state = state
        self.write = write
        lines = RowLines(format, isGrouped: isGrouped, isForTerminal: isForTerminal, columns: columns)
        isBegun = format != .plain
        work = OrderedWork { made in
            if made.isPartial { state.isPartial = true }
            try write(made.lines)
        }
    }

    /// Whether a mark for something missing was printed, among the flushed rows.
    package var isPartial: Bool { state.isPartial || lines.isPartial }

    package func begin() throws {
        if let names = lines.names { try write(names) }
    }

    package func print(_ row: consuming ListedRow) throws {
        if isBegun, row.size >= Self.largeRow {
            try flush()
            return try lines.stream(row, write)
        }
        batchSize += row.size
        batch.append(row)
        if !isBegun, batch.count < Self.sample, batchSize < Self.largeRow { return }
        if batch.count >= Self.batchLimit || batchSize >= Self.batchBytes { try give() }
    }

    /// Prints the rows added so far, except those still needed to determine the width of columns.
    package func flush() throws {
        if isBegun { try end() }
    }

    package func end() throws {
        try give()
        try work.finish()
    }

    private func give() throws {
        guard !batch.isEmpty else { return }
        if !isBegun {
            for row in batch.prefix(Self.sample) { lines.widen(to: row, limit: Self.columnLimit) }
            isBegun = true
        }
        let (rows, lines) = (batch, lines)
        batch.removeAll(keepingCapacity: true)
        batchSize = 0
        try work.add {
            var (lines, bytes) = (lines, [UInt8]())
            for row in rows { lines.append(row, to: &bytes) }
            return (bytes, lines.isPartial)
        }
    }
}
