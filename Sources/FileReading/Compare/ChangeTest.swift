import FileEngine
import ObjectDecoding

/// What a filter asks of a difference of two files.
package struct ChangeTest: Sendable {
    /// The kinds that pass; all if empty.
    package var kinds: Set<ChangeKind> = []
    private var test: RowTest?
    private let cancellation = Locked(false)

    /// - Parameter pattern: a text, in either file or in the names of what changed; behind `=` an expression that is true for the row in
    ///   one of the files; empty for all.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the expression is wrong.
    package init(_ pattern: String = "", kinds: Set<ChangeKind> = []) throws {
        self.kinds = kinds
        if pattern.isEmpty { return }
        if pattern.hasPrefix("="), pattern.count > 1 {
            test = .condition(
                try RowExpressions([String(pattern.dropFirst())], hasCondition: true), cancelledBy: cancellation)
        } else {
            test = .text(SearchText(pattern))
        }
    }

    /// What is to be said of the rows so far; nil without an expression.
    package var remarks: ExpressionRemarks? { test?.remarks }

    /// Ends work under way soon, with an error of the code `interrupted`.
    package func cancel() { cancellation.withLock { $0 = true } }

    /// Whether a change passes; reads the row in both files unless its names decide.
    package func isTrue(for change: FileChange, _ reader: ChangeReader) throws -> Bool {
        guard kinds.isEmpty || kinds.contains(change.kind) else { return false }
        guard let test else { return true }
        switch test {
        case .key, .both: return false
        case .text(let text):
            if Self.isFound(text, in: change.container) || Self.isFound(text, in: change.name) { return true }
            guard case .row(_, let kind) = change else { return false }
            let details = try reader.details(of: change, valueBytes: FileSnapshot.wholeValues)
            guard kind == .updated else {
                return [details.before, details.after].contains { row in
                    row.map { text.isFound(in: $0, RowDecoder()) } ?? false
                }
            }
            return (details.object + details.metadata).contains { field in
                Self.isFound(text, in: field.path.description)
                    || [field.before, field.after].contains { Self.isFound(text, in: $0) }
            }
        case .condition(let evaluators):
            guard case .row = change else { return false }
            let details = try reader.details(of: change, valueBytes: FileSnapshot.wholeValues)
            return try [details.after, details.before].contains { row in
                try row.map { try evaluators.isTrue(for: $0) } ?? false
            }
        }
    }

    private static func isFound(_ text: SearchText, in string: String) -> Bool {
        Array(string.utf8).withUnsafeBytes(text.isFound(in:))
    }

    private static func isFound(_ text: SearchText, in value: DecodedValue?) -> Bool {
        guard let value else { return false }
        var bytes: [UInt8] = []
        value.appendSearchText(to: &bytes, limit: .max)
        return bytes.withUnsafeBytes(text.isFound(in:))
    }
}
