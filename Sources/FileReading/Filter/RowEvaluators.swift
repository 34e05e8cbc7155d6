import FileEngine

/// Evaluates expressions on any thread: an evaluator for each that works at the same time.
package final class RowEvaluators: @unchecked Sendable {
    // @unchecked: an evaluator is used by the thread that has taken it out of `idle`.

    private let expressions: RowExpressions
    private let idle = Locked<[RowExpressions.Evaluator]>([])
    private let seenFields: Locked<[Bool]>

    package init(_ expressions: RowExpressions) {
        self.expressions = expressions
        seenFields = Locked(Array(repeating: false, count: expressions.names.count))
    }

    /// The names in the expressions that no row has had so far.
    package var unseenNames: [String] {
        zip(expressions.names, seenFields.withLock { $0 }).filter { !$0.1 }.map(\.0)
    }

    /// Returns the values of all expressions for each row.
    func values(of rows: [BrowsedRow]) throws -> [[SQLValue]] {
        try evaluate { evaluator in rows.map { evaluator.values(of: $0) } }
    }

    /// Whether the first expression is true for a row.
    func isTrue(for row: BrowsedRow) throws -> Bool { try evaluate { $0.isTrue(for: row) } }

    func found(in stops: [ListContent.Stop], hasCondition: Bool, hasOrder: Bool) throws -> [FilteredRows.Found] {
        try evaluate { evaluator in
            var found: [FilteredRows.Found] = []
            stops.withUnsafeBufferPointer { stops in
                // By its place a row is not copied.
                for place in stops.indices {
                    let key: SQLValue? = evaluator.evaluate(stops[place].row) { statement in
                        if hasCondition, !(statement?.value(at: 0).isTrue ?? false) { return nil }
                        return hasOrder ? statement?.value(at: hasCondition ? 1 : 0) ?? .null : .null
                    }
                    if let key { found.append(FilteredRows.Found(stop: stops[place], key: key)) }
                }
            }
            return found
        }
    }

    /// - Throws: only if SQLite has no memory for another evaluator: the expressions were compiled before.
    private func evaluate<Value>(_ body: (RowExpressions.Evaluator) -> Value) throws -> Value {
        let evaluator = try idle.withLock { $0.popLast() } ?? RowExpressions.Evaluator(expressions)
        let value = body(evaluator)
        seenFields.withLock { seen in
            for (place, isSeen) in evaluator.seen.enumerated() where isSeen { seen[place] = true }
        }
        idle.withLock { $0.append(evaluator) }
        return value
    }
}
