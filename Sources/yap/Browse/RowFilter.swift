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
    /// - Returns: what is to be said of the rows that were looked at; nil if none was left out for its values.
    func enumerate(
        _ content: ListContent, _ output: StandardOutput, flush: @escaping () throws -> Void,
        _ body: @escaping (ListContent.Stop) throws -> Void
    ) throws -> ExpressionRemarks? {
        guard filter.isActive else {
            try content.enumerate(selection, body)
            return nil
        }
        return try filtered {
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
            return rows.remarks
        }
    }

    /// Prints chosen columns of the selected rows.
    /// - Returns: whether something is missing.
    func printColumns(_ columns: String, of content: ListContent, _ output: StandardOutput) throws -> Bool {
        return try filtered {
            let printer = try ColumnPrinter(columns: columns, format, isForTerminal: output.isTerminal) {
                try output.write($0)
            }
            try printer.begin()
            let found = try enumerate(content, output, flush: printer.flush) { try printer.print($0.row) }
            try printer.flush()
            return say(found, printer.remarks)
        }
    }

    /// Prints how many rows have each value of an expression.
    /// - Returns: whether something is missing.
    func printCounts(of expression: String, _ content: ListContent, _ output: StandardOutput) throws -> Bool {
        return try filtered {
            let counted = FilteredRows.Order(expression)
            let rows = try FilteredRows(content, where: filter.condition, order: counted)
            let line = StatusLine(after: .milliseconds(200), every: .milliseconds(200))
            let counts = try rows.counts { line.show("\(RowCount($0)) rows looked at …") }
            line.clear()
            try output.write(ValueCount.head(format, expression, isForTerminal: output.isTerminal))
            for (value, count) in counts {
                try output.write(ValueCount(value, count).line(format, isForTerminal: output.isTerminal))
            }
            return say(rows.remarks)
        }
    }

    /// Whether every row of the list was looked at, so that a field which none of these has is in no row.
    private var areAllLookedAt: Bool {
        filter.columns == nil
            ? selection.range == .all || filter.sort != nil : selection.range == .all && !filter.isActive
    }

    /// - Returns: whether something is missing, or a field was named that no row has.
    func say(_ remarks: ExpressionRemarks?...) -> Bool {
        let remarks = remarks.compactMap(\.self)
        var said: Set<String> = []
        for sentence in remarks.flatMap({ $0.sentences(ofAll: areAllLookedAt) })
        where said.insert(sentence).inserted { printError(sentence) }
        return remarks.contains { $0.isPartial || $0.hasSlip || areAllLookedAt && !$0.unseenNames.isEmpty }
    }

    /// A wrong expression is a wrong option.
    private func filtered<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as YapDatabaseError where error.code == .badQuery {
            throw UsageError(error.message)
        }
    }
}
