import FileEngine
import ListChanges
import ObjectDecoding
import SQLiteBridge

/// Expressions of SQLite whose names are fields of a row's decoded values.
///
/// SQLite itself evaluates them, on a private connection without a file: a statement whose parameters are the fields. Which names an
/// expression has is learned from SQLite too, by compiling it and adding the column that is missing. A value; each thread that evaluates
/// makes its own ``Evaluator``.
package struct RowExpressions: Sendable {
    let texts: [String]
    /// The fields, which are the parameters in this order.
    private(set) var fields: [Field] = []
    /// For each expression the number of the field that it is; nil if it is more than that.
    private(set) var fieldsAlone: [Int?] = []
    let decoder: RowDecoder
    /// Whether the first one is a condition: SQLite says whether its value is true.
    private let hasCondition: Bool

    struct Field: Hashable, Sendable {
        let path: FieldPath
        /// Nil for a column of its own; else the name before the dot.
        let table: ExactString?
        let column: String

        static func == (one: Field, other: Field) -> Bool {
            one.path == other.path && one.table == other.table && one.column.hasSameBytes(as: other.column)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(path) }

        /// Whether an expression is nothing but the name of the field, with or without double quotes.
        func isWritten(_ text: String) -> Bool {
            let columns = [column, column.quotedSQL]
            let names = table.map { [$0.text, $0.text.quotedSQL] }.map { tables in
                tables.flatMap { table in columns.map { "\(table).\($0)" } }
            }
            return (names ?? columns).contains { text.hasSameBytes(as: $0) }
        }
    }

    /// The most fields of an expression, and attempts to compile it.
    private static let maxFields = 100

    /// - Parameters:
    ///   - hasCondition: whether the first one is a condition, whose value is 1 or 0.
    ///   - decoder: decodes the values that fields are in.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if SQLite does not compile one of them.
    package init(_ texts: [String], hasCondition: Bool = false, decoder: RowDecoder = RowDecoder()) throws {
        self.texts = texts
        self.hasCondition = hasCondition
        self.decoder = decoder
        for text in texts { try Self.checkTokens(text) }
        let store = try Self.store()
        while true {
            do {
                _ = try store.handle.newStatement(learningSQL)
                fieldsAlone = texts.map { text in fields.firstIndex { $0.isWritten(text) } }
                return
            } catch let error as YapDatabaseError {
                guard let name = Self.missingColumn(error), fields.count < Self.maxFields else {
                    throw Self.refusal(try Self.ownError(of: texts, in: store) ?? error, texts)
                }
                try add(name, error)
            }
        }
    }

    /// The names that are used, as they are written.
    package var names: [String] { fields.map(\.path.text) }

    /// Whether this field may be a part of an expression, besides expressions that are a field alone.
    func isComputedWith(_ field: Int) -> Bool {
        let name = fields[field].column
        return zip(texts, fieldsAlone).contains { $1 == nil && $0.contains(name) }
    }

    private mutating func add(_ name: String, _ error: YapDatabaseError) throws {
        guard let path = FieldPath(name) else { throw Self.refusal(error, texts) }
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        // SQLite writes an unquoted author.name and a quoted "author.name" alike: first the one, then the other is tried.
        let isPlain = parts.count == 1 || parts[1].contains(".") || fields.contains { $0.path == path }
        let field = Field(path: path, table: isPlain ? nil : ExactString(parts[0]), column: isPlain ? name : parts[1])
        guard !fields.contains(field) else {
            // Two tables of the expression itself have the name.
            if error.sqliteMessage?.hasPrefix(Self.ambiguous) == true { throw Self.refusal(error, texts) }
            throw YapDatabaseError(
                .badQuery,
                "\"\(name)\" is more than a name and a field: write it in double quotes, \"\\\"\(name)\\\"\".")
        }
        fields.append(field)
    }

    /// Computes all of them.
    var sql: String { sql(of: 0...texts.count - 1) }

    /// Computes some of them, with the parameters of all.
    func sql(of places: ClosedRange<Int>) -> String {
        let plain = Set(fields.lazy.filter { $0.table == nil }.map { $0.column.lowercased() })
        let isMixed = fields.contains { $0.table != nil && plain.contains($0.column.lowercased()) }
        return sql(of: places, hasScopes: isMixed, besides: [])
    }

    /// A statement in which a name without a dot is never that of a field behind a dot: each of these stands there twice, so that SQLite calls the
    /// name ambiguous.
    private var learningSQL: String {
        let twins = fields.filter { $0.table != nil }.map { "(SELECT NULL AS \($0.column.quotedSQL))" }
        return sql(of: 0...texts.count - 1, hasScopes: true, besides: twins)
    }

    /// - Parameter hasScopes: whether names without a dot are looked up before those with one, so that `name` and `author.name` are two.
    private func sql(of places: ClosedRange<Int>, hasScopes: Bool, besides: [String]) -> String {
        let numbered = Array(zip(1..., fields))
        func columns(_ table: ExactString?) -> String {
            numbered.filter { $0.1.table == table }.map { "?\($0.0) AS \($0.1.column.quotedSQL)" }.joined(
                separator: ", ")
        }
        func from(_ sources: [String]) -> String {
            sources.isEmpty ? "" : " FROM " + sources.joined(separator: ", ")
        }
        let tables = fields.compactMap(\.table).reduce(into: [ExactString]()) { if !$0.contains($1) { $0.append($1) } }
        let dotted = tables.map { "(SELECT \(columns($0))) AS \($0.text.quotedSQL)" } + besides
        let plain = fields.contains { $0.table == nil } ? ["(SELECT \(columns(nil)))"] : []
        let list = places.map { hasCondition && $0 == 0 ? "((\(texts[$0])\n) IS TRUE)" : "(\(texts[$0])\n)" }
        if !hasScopes { return "SELECT " + list.joined(separator: ", ") + from(plain + dotted) }
        return "SELECT " + list.map { "(SELECT \($0)\(from(plain)))" }.joined(separator: ", ") + from(dotted)
    }

    static func store() throws -> Store {
        try Store(path: ":memory:", mode: .memory, rules: rules, busyTimeout: 0)
    }

    /// There is no table to read or to write, and an expression is no statement.
    private static let rules = SQLiteRules { action in
        if case .function(let name) = action { SQLiteRules.isHarmless(function: name) } else { true }
    }

    private static func missingColumn(_ error: YapDatabaseError) -> String? {
        guard let message = error.sqliteMessage,
            let prefix = ["no such column: ", ambiguous].first(where: message.hasPrefix)
        else { return nil }
        return String(message.dropFirst(prefix.count))
    }

    private static let ambiguous = "ambiguous column name: "

    /// The error of syntax that one of the texts has by itself: in the statement, SQLite would name brackets that were not written.
    private static func ownError(of texts: [String], in store: Store) throws -> YapDatabaseError? {
        for text in texts {
            do { _ = try store.handle.newStatement("SELECT \(text)\n") } catch let error as YapDatabaseError {
                let message = error.sqliteMessage ?? ""
                // A quotation mark that is not closed makes a token of all that follows.
                if message == "incomplete input" || message.hasSuffix("syntax error")
                    || message.hasPrefix("unrecognized token")
                {
                    return error
                }
            }
        }
        return nil
    }

    private static func refusal(_ error: YapDatabaseError, _ texts: [String]) -> YapDatabaseError {
        let text = texts.joined(separator: ", ")
        let reason = (error.sqliteMessage ?? error.message).replacing("\n", with: "")
        return YapDatabaseError(
            .badQuery,
            "\"\(text)\" is no expression of SQLite: \(reason). Fields are names, texts are in 'single "
                + "quotes', as in \"price > 20 AND genre = 'sci-fi'\".")
    }

    /// A date without quotes is a subtraction, and every text is greater than its result. A parameter would be a field.
    private static func checkTokens(_ text: String) throws {
        let plain = text.replacing(/'[^']*'|"[^"]*"/, with: " ")
        if plain.contains(where: { "?:@$;".contains($0) }) {
            throw YapDatabaseError(
                .badQuery, "\"\(text)\" is no expression: one has no parameters, and no second statement.")
        }
        // SQLite takes it for that of its own table, which is NULL.
        if plain.contains(/(?i)(^|[^.\w])rowid\b/) {
            throw YapDatabaseError(.badQuery, "A row's number is row.rowid in an expression.")
        }
        if let date = plain.firstMatch(of: /\b\d{4}-\d{2}-\d{2}/) {
            throw YapDatabaseError(.badQuery, "Dates are texts: write '\(date.output)' in single quotes.")
        }
    }
}

extension SQLValue {
    /// Whether a condition's value is true: a number other than 0.
    package var isTrue: Bool {
        switch self {
        case .integer(let number): number != 0
        case .real(let number): number != 0
        default: false
        }
    }
}
