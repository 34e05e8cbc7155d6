import FileEngine
import SQLiteBridge

extension RowExpressions {
    /// Computes the expressions for rows, on one thread.
    package final class Evaluator {
        private let expressions: RowExpressions
        private let store: Store
        private let statement: SQLiteStatement
        private let object: FieldSource
        private let metadata: FieldSource
        /// Whether a row had the field of that place.
        package private(set) var seen: [Bool]

        package init(_ expressions: RowExpressions) throws {
            self.expressions = expressions
            store = try RowExpressions.store()
            statement = try store.handle.newStatement(expressions.sql)
            let paths = expressions.fields.map(\.path)
            object = FieldSource(paths.map { $0.root == .object || $0.root == .any ? $0 : nil }, expressions.decoder)
            metadata = FieldSource(paths.map { $0.root == .metadata ? $0 : nil }, expressions.decoder)
            seen = Array(repeating: false, count: paths.count)
        }

        /// Returns the values, one for each expression. What SQLite cannot compute, such as an overflow, is NULL.
        package func values(of row: BrowsedRow) -> [SQLValue] {
            evaluate(row) { statement in
                expressions.texts.indices.map { statement?.value(at: $0) ?? .null }
            }
        }

        /// Whether the first expression is true.
        package func isTrue(for row: BrowsedRow) -> Bool {
            evaluate(row) { $0?.value(at: 0).isTrue ?? false }
        }

        /// Computes the expressions for a row.
        /// - Parameter read: gets the statement with their values; nil if SQLite cannot compute them.
        func evaluate<Value>(_ row: BrowsedRow, _ read: (SQLiteStatement?) -> Value) -> Value {
            row.object.withBytes { objectBytes in
                row.metadata.withBytes { metadataBytes in
                    object.read(row.object, objectBytes, of: row)
                    metadata.read(row.metadata, metadataBytes, of: row)
                    // Before the bytes may go.
                    defer { statement.reset() }
                    do {
                        for place in seen.indices where try bind(place, row) && !seen[place] { seen[place] = true }
                        return read(try statement.step() ? statement : nil)
                    } catch {
                        return read(nil)
                    }
                }
            }
        }

        /// - Returns: whether the row has the field.
        private func bind(_ place: Int, _ row: BrowsedRow) throws -> Bool {
            if try object.bind(place, to: statement) || metadata.bind(place, to: statement) { return true }
            let path = expressions.fields[place].path
            guard path.root == .row || path.root == .any, let value = path.property(of: row) else { return false }
            try statement.bind(value, at: place + 1)
            return true
        }
    }
}

extension StoredValue? {
    /// The bytes of a text or a blob; none for all else.
    fileprivate func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        switch self?.content {
        case .text(let bytes), .blob(let bytes): bytes.withUnsafeBytes(body)
        default: body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}
