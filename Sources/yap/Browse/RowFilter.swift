import FileReading
import ObjectDecoding
import YapDatabase

/// What a request demands of the values of rows.
struct RowFilter {
    let condition: String?
    let sort: String?
    let countBy: String?
    let columns: String?

    init(_ options: ParsedOptions) {
        (condition, sort, countBy) = (options["where"], options["sort"], options["count-by"])
        columns = options["columns"]
    }

    /// Whether rows are selected or ordered by their values.
    var isActive: Bool { condition != nil || sort != nil || countBy != nil }
}

extension BrowseRequest {
    /// Calls a closure with the selected rows.
    func enumerate(
        _ content: ListContent, _ output: StandardOutput, flush: @escaping () throws -> Void,
        _ body: @escaping (ListContent.Stop) throws -> Void
    ) throws {
        guard filter.isActive else { return try content.enumerate(selection, body) }
        try filtered {
            let rows = try FilteredRows(
                content, where: filter.condition, order: filter.sort.map(FilteredRows.Order.init))
            let line = StatusLine(after: .milliseconds(200), every: .milliseconds(200))
            defer { line.clear() }
            try rows.enumerate(selection) { looked in
                // The reader of the output should get a row when it is found.
                try flush()
                try output.flush()
                line.show("\(RowCount(looked)) rows looked at …")
            } _: {
                line.clear()
                try body($0)
            }
            say(unseen: rows.unseenNames)
        }
    }

    /// Prints chosen columns of the selected rows.
    func printColumns(_ columns: String, of content: ListContent, _ output: StandardOutput) throws -> Bool {
        try filtered {
            let printer = try ColumnPrinter(columns: columns, format, isForTerminal: output.isTerminal) {
                try output.write($0)
            }
            try printer.begin()
            try enumerate(content, output, flush: printer.flush) { try printer.print($0.row) }
            try printer.flush()
            say(unseen: printer.unseenNames)
        }
        return false
    }

    /// Prints how many rows have each value of an expression.
    func printCounts(of expression: String, _ content: ListContent, _ output: StandardOutput) throws -> Bool {
        try filtered {
            let counted = FilteredRows.Order(expression)
            let rows = try FilteredRows(content, where: filter.condition, order: counted)
            let line = StatusLine(after: .milliseconds(200), every: .milliseconds(200))
            let counts = try rows.counts { line.show("\(RowCount($0)) rows looked at …") }
            line.clear()
            try output.write(ValueCount.head(format, expression))
            for (value, count) in counts {
                try output.write(ValueCount(value, count).line(format, isForTerminal: output.isTerminal))
            }
            say(unseen: rows.unseenNames)
        }
        return false
    }

    private func say(unseen names: [String]) {
        for name in names { printError("No row has a field \"\(name)\".") }
    }

    /// A wrong expression is a wrong option.
    private func filtered(_ body: () throws -> Void) throws {
        do { try body() } catch let error as YapDatabaseError where error.code == .badQuery {
            throw UsageError(error.message)
        }
    }
}
