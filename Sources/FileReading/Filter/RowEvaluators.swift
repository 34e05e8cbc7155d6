import FileEngine

/// Evaluates expressions on any thread: an evaluator for each that works at the same time.
package final class RowEvaluators: @unchecked Sendable {
    // @unchecked: an evaluator is used by the thread that has taken it out of `idle`.

    private let expressions: RowExpressions
    private let idle = Locked<[RowExpressions.Evaluator]>([])
    private let noted: Locked<ExpressionRemarks>
    private let isCancelled: @Sendable () -> Bool

    /// - Parameter isCancelled: asked now and then, also while SQLite computes one expression. Once it says yes, all work ends with an error of
    ///   the code `interrupted`.
    package init(_ expressions: RowExpressions, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        (self.expressions, self.isCancelled) = (expressions, isCancelled)
        noted = Locked(ExpressionRemarks(expressions))
    }

    /// What is to be said of the rows so far.
    package var remarks: ExpressionRemarks { noted.withLock { $0 } }

    /// Returns the values of all expressions for each row.
    func values(of rows: [BrowsedRow]) throws -> [[SQLValue]] {
        try evaluate { evaluator in try rows.map { try evaluator.values(of: $0) } }
    }

    /// Returns the values of all expressions for each row, as they are printed.
    func columns(of rows: [BrowsedRow]) throws -> [[ColumnValue]] {
        try evaluate { evaluator in try rows.map { try evaluator.columns(of: $0) } }
    }

    /// Whether the first expression is true for a row.
    func isTrue(for row: BrowsedRow) throws -> Bool { try evaluate { try $0.isTrue(for: row) } }

    func found(in stops: [ListContent.Stop], hasCondition: Bool, hasOrder: Bool) throws -> [FilteredRows.Found] {
        try evaluate { evaluator in
            var found: [FilteredRows.Found] = []
            try stops.withUnsafeBufferPointer { stops in
                // By its place a row is not copied.
                for place in stops.indices {
                    let key: SQLValue? = try evaluator.evaluate(stops[place].row) { values in
                        if hasCondition, try !values[0].isTrue { return nil }
                        return hasOrder ? try values[hasCondition ? 1 : 0] : .null
                    }
                    if let key { found.append(FilteredRows.Found(stop: stops[place], key: key)) }
                }
            }
            return found
        }
    }

    /// - Throws: if it was cancelled, or SQLite has no memory for another evaluator: the expressions were compiled before.
    private func evaluate<Value>(_ body: (RowExpressions.Evaluator) throws -> Value) throws -> Value {
        let evaluator =
            try idle.withLock { $0.popLast() }
            ?? RowExpressions.Evaluator(expressions, noted, isCancelled: isCancelled)
        let value = try body(evaluator)
        idle.withLock { $0.append(evaluator) }
        return value
    }
}
