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

/// Turns rows into lines, in the order in which they come, on several threads.
///
/// Plain columns are as wide as the first rows ask for; what is longer later sticks out. Memory is that of a few batches of
/// rows, or of one row that is larger.
package final class RowPrinter {
    private let write: ([UInt8]) throws -> Void
    private let work: OrderedWork<(lines: [UInt8], isPartial: Bool)>
    private var lines: RowLines
    private var batch: [ListedRow] = []
    private var batchSize = 0
    private var isBegun: Bool
    private let state: State

    private final class State { var isPartial = false }

    /// Rows that decide how wide columns are.
    private static let sample = 100
    /// The widest column, but for the last.
    private static let columnLimit = 48
    /// Rows that a thread takes at once, and bytes of their values.
    private static let batchLimit = 256
    private static let batchBytes = 1 << 18
    /// A row with larger values is written piece by piece.
    private static let largeRow = 1 << 20

    /// - Parameters:
    ///   - isGrouped: whether rows have a group and an index in it.
    ///   - isForTerminal: whether somebody looks at the lines: then no format lets control characters through.
    ///   - write: takes whole lines, and a very long one in pieces.
    package init(
        _ format: PrintFormat, isGrouped: Bool, isForTerminal: Bool = false, write: @escaping ([UInt8]) throws -> Void
    ) {
        let state = State()
        self.state = state
        self.write = write
        lines = RowLines(format, isGrouped: isGrouped, isForTerminal: isForTerminal)
        isBegun = format != .plain
        work = OrderedWork { made in
            if made.isPartial { state.isPartial = true }
            try write(made.lines)
        }
    }

    /// Whether a mark was printed in the place of something that is missing, as far as rows are flushed.
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

    /// Prints the rows that came so far, but for those that are to decide how wide columns are.
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
            for row in batch.prefix(Self.sample) where row.size < Self.largeRow {
                lines.widen(to: row, limit: Self.columnLimit)
            }
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
