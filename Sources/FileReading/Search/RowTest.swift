import FileEngine

/// What a search asks of a row.
indirect enum RowTest: Sendable {
    /// Whether its key, a column or a value has the text.
    case text(SearchText)
    case condition(RowEvaluators)
    /// Whether its key has the text, for a test that needs the values too.
    case key(SearchText)
    case both([RowTest])

    /// A condition; work on it ends once the flag is set.
    static func condition(_ expressions: RowExpressions, cancelledBy flag: Locked<Bool>) -> RowTest {
        .condition(RowEvaluators(expressions) { flag.withLock { $0 } })
    }

    /// What is to be said of the rows that a condition was asked of; nil without one.
    var remarks: ExpressionRemarks? {
        switch self {
        case .condition(let evaluators): evaluators.remarks
        case .both(let tests): tests.lazy.compactMap(\.remarks).first
        case .text, .key: nil
        }
    }

    func isFound(inKey key: UnsafeRawBufferPointer) -> Bool {
        if case .text(let text) = self { text.isFound(in: key) } else { false }
    }

    func isTrue(for row: BrowsedRow, _ decoder: RowDecoder) throws -> Bool {
        switch self {
        case .condition(let evaluators): return try evaluators.isTrue(for: row)
        case .key(let text): return row.address?.key.bytes.withUnsafeBytes(text.isFound(in:)) ?? false
        case .both(let tests): return try tests.allSatisfy { try $0.isTrue(for: row, decoder) }
        case .text(let text):
            if let address = row.address, address.key.bytes.withUnsafeBytes(text.isFound(in:)) { return true }
            if row.columns.contains(where: { Array($0.value.text.utf8).withUnsafeBytes(text.isFound(in:)) }) {
                return true
            }
            return text.isFound(in: row, decoder)
        }
    }
}
