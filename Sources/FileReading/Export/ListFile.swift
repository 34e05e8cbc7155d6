import FileEngine
import Foundation

/// Writes the rows of a list to a file, as the name's ending says: CSV, JSON lines or Markdown. The file appears when it is whole.
package final class ListFile: Sendable {
    /// What a column is called, and its expression.
    package struct Column: Hashable, Sendable {
        package let name: String
        package let expression: String

        package init(_ name: String, _ expression: String) { (self.name, self.expression) = (name, expression) }
    }

    private struct State: Sendable {
        var rows = 0
        var isCancelled = false
        var isWriting = false
    }

    private let state = Locked(State())
    private let format: PrintFormat
    package let path: String

    package struct Cancelled: Error {}

    /// The format that a file's name asks for; nil for an ending without one.
    package static func format(of path: String) -> PrintFormat? {
        switch path.split(separator: "/").last?.split(separator: ".").last?.lowercased() {
        case "csv": .csv
        case "json", "jsonl", "ndjson": .json
        case "md", "markdown": .markdown
        default: nil
        }
    }

    package init(_ path: String, _ format: PrintFormat) { (self.path, self.format) = (path, format) }

    /// The rows written so far.
    package var rows: Int { state.withLock { $0.rows } }

    /// Ends the writing soon; nothing of the file is left.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Waits, at most for two seconds, until nothing unfinished is left.
    package func waitUntilEnded() {
        for _ in 0..<200 where state.withLock({ $0.isWriting }) { usleep(10_000) }
    }

    /// Writes the rows of a list, a range and a direction of it, with some columns.
    /// - Parameter replaces: whether a file of that name is replaced.
    /// - Returns: the number of rows.
    /// - Throws: ``NewFile/Exists``, ``Cancelled``, or why it cannot be written or read.
    package func write(
        _ content: ListContent, _ selection: RowSelection, _ columns: [Column], _ decoder: RowDecoder, replaces: Bool
    ) throws -> Int {
        state.withLock { $0.isWriting = true }
        defer { state.withLock { $0.isWriting = false } }
        return try written(content, selection, columns, decoder, replaces: replaces)
    }

    private func written(
        _ content: ListContent, _ selection: RowSelection, _ columns: [Column], _ decoder: RowDecoder, replaces: Bool
    ) throws -> Int {
        let file = try NewFile(path)
        let printer = try ColumnPrinter(
            columns.map { ($0.name, $0.expression) }, format, decoder: decoder, write: file.write)
        try printer.begin()
        try content.enumerate(selection) { stop in
            let isCancelled = state.withLock { state in
                state.rows += 1
                return state.isCancelled
            }
            if isCancelled { throw Cancelled() }
            try printer.print(stop.row)
        }
        try printer.flush()
        try file.finish(replaces: replaces)
        return rows
    }
}
