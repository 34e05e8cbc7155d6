import FileEngine
import SQLiteBridge

extension RowExpressions {
    /// Computes the expressions for rows, on one thread.
    package final class Evaluator {
        private let expressions: RowExpressions
        private let store: Store
        private let statement: SQLiteStatement
        /// One for each expression, made when SQLite cannot compute all of them for a row.
        private var single: [SQLiteStatement?]
        private let object: FieldSource
        private let metadata: FieldSource
        /// Whether a row had the field of that place.
        private var seen: [Bool]
        /// The fields of the row that are numbers which SQLite does not have, or writes otherwise. There are none in most rows.
        private var numbers: [(place: Int, stored: String, isNull: Bool)] = []
        /// Whether numbers are wanted as they are stored.
        private var isPrinting = false
        private var hasRows = false
        private let remarks: Locked<ExpressionRemarks>

        /// - Parameters:
        ///   - remarks: what is met is noted there.
        ///   - isCancelled: asked while SQLite computes; whether it should end.
        package init(
            _ expressions: RowExpressions, _ remarks: Locked<ExpressionRemarks>? = nil,
            isCancelled: (@Sendable () -> Bool)? = nil
        ) throws {
            self.expressions = expressions
            self.remarks = remarks ?? Locked(ExpressionRemarks(expressions))
            store = try RowExpressions.store()
            statement = try store.handle.newStatement(expressions.sql)
            single = Array(repeating: nil, count: expressions.texts.count)
            let paths = expressions.fields.map(\.path)
            object = FieldSource(paths.map { $0.root == .object || $0.root == .any ? $0 : nil }, expressions.decoder)
            metadata = FieldSource(paths.map { $0.root == .metadata ? $0 : nil }, expressions.decoder)
            seen = Array(repeating: false, count: paths.count)
            store.handle.cancelStatements(when: isCancelled)
        }

        /// The values of the expressions for one row, by their places. What SQLite cannot compute, such as an overflow, is NULL.
        struct Values {
            fileprivate let evaluator: Evaluator
            fileprivate let row: BrowsedRow
            /// Whether all are computed at once. Else each is when it is asked for.
            fileprivate let isComputed: Bool

            subscript(place: Int) -> SQLValue {
                get throws {
                    isComputed ? evaluator.statement.value(at: place) : try evaluator.computeAlone(place, row)
                }
            }
        }

        /// Returns the values, one for each expression.
        /// - Throws: ``YapDatabaseError`` with code `interrupted` if it was cancelled.
        package func values(of row: BrowsedRow) throws -> [SQLValue] {
            try evaluate(row) { values in try expressions.texts.indices.map { try values[$0] } }
        }

        /// Returns the values as they are printed: a number that a field is, and not a result, as it is stored.
        func columns(of row: BrowsedRow) throws -> [ColumnValue] {
            try evaluate(row, isPrinting: true) { values in
                try expressions.texts.indices.map { place in
                    if let field = expressions.fieldsAlone[place],
                        let number = numbers.first(where: { $0.place == field })
                    {
                        return ColumnValue(.null, number: number.stored)
                    }
                    return ColumnValue(try values[place])
                }
            }
        }

        /// Whether the first expression is true.
        func isTrue(for row: BrowsedRow) throws -> Bool { try evaluate(row) { try $0[0].isTrue } }

        /// Computes the expressions for a row.
        /// - Parameters:
        ///   - isPrinting: whether an expression that is a field alone is not computed with.
        ///   - read: gets their values, which are there until it ends.
        func evaluate<Value>(
            _ row: BrowsedRow, isPrinting: Bool = false, _ read: (Values) throws -> Value
        ) throws -> Value {
            self.isPrinting = isPrinting
            if !hasRows {
                hasRows = true
                remarks.withLock { $0.add(row) }
            }
            if let error = row.error { remarks.withLock { $0.addUnreadable(row, error) } }
            return try row.object.withBytes { objectBytes in
                try row.metadata.withBytes { metadataBytes in
                    let problem = object.read(row.object, objectBytes, of: row)
                    if let problem = metadata.read(row.metadata, metadataBytes, of: row) ?? problem {
                        remarks.withLock { $0.addUndecodable(row, problem) }
                    }
                    // Before the bytes may go.
                    defer { statement.reset() }
                    let isComputed =
                        try catching {
                            try bindAll(row, to: statement)
                            _ = try statement.step()
                        } == nil
                    if !numbers.isEmpty { noteNumbers(row) }
                    return try read(Values(evaluator: self, row: row, isComputed: isComputed))
                }
            }
        }

        /// - Returns: why SQLite cannot do it; nil if it did.
        private func catching(_ body: () throws -> Void) throws -> String? {
            do {
                try body()
                return nil
            } catch let error as YapDatabaseError where error.code != .interrupted {
                return error.sqliteMessage ?? error.message
            }
        }

        private func computeAlone(_ place: Int, _ row: BrowsedRow) throws -> SQLValue {
            let statement = try single[place] ?? store.handle.newStatement(expressions.sql(of: place...place))
            single[place] = statement
            defer { statement.reset() }
            let reason = try catching {
                try bindAll(row, to: statement)
                _ = try statement.step()
            }
            guard let reason else { return statement.value(at: 0) }
            remarks.withLock { $0.addNotComputed(place, row, reason) }
            return .null
        }

        private func bindAll(_ row: BrowsedRow, to statement: SQLiteStatement) throws {
            if !numbers.isEmpty { numbers = [] }
            for place in seen.indices {
                switch try bind(place, row, to: statement) {
                case .missing: continue
                case .whole: break
                case .number(let stored, let isNull): numbers.append((place, stored, isNull))
                }
                guard !seen[place] else { continue }
                seen[place] = true
                remarks.withLock { $0.addSeen(place) }
            }
        }

        private func bind(_ place: Int, _ row: BrowsedRow, to statement: SQLiteStatement) throws -> BoundField {
            var bound = try object.bind(place, to: statement, isPrinted: isPrinting)
            if bound.isMissing { bound = try metadata.bind(place, to: statement, isPrinted: isPrinting) }
            if !bound.isMissing { return bound }
            let path = expressions.fields[place].path
            guard path.root == .row || path.root == .any, let value = path.property(of: row) else { return .missing }
            try statement.bind(value, at: place + 1)
            return .whole
        }

        /// Notes the numbers that SQLite does not have, where they are computed with.
        private func noteNumbers(_ row: BrowsedRow) {
            for (place, stored, isNull) in numbers where isNull && (!isPrinting || expressions.isComputedWith(place)) {
                let digits = stored.utf8.count > Self.shownDigits ? "\(stored.prefix(Self.shownDigits))…" : stored
                remarks.withLock { $0.addNumber(place, row, "SQLite has no number that is exactly \(digits)") }
            }
        }

        private static let shownDigits = 40
    }
}

extension StoredValue? {
    /// The bytes of a text or a blob; none for all else.
    fileprivate func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        switch self?.content {
        case .text(let bytes), .blob(let bytes): try bytes.withUnsafeBytes(body)
        default: try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}
