import ListChanges
import FileEngine
import SQLiteBridge

/// A query of the program for an index: what follows `SELECT … FROM …`, with the values of its parameters.
struct IndexQuery: Hashable, Sendable {
    var text: String
    var parameters: [SQLValue]

    init(text: String, parameters: [SQLValue]) {
        self.text = text
        self.parameters = parameters
    }
}

/// What a query of an index returns.
enum IndexSelection: Hashable, Sendable {
    /// The rowids of the rows.
    case rowids
    /// The value of a column in each row.
    case column(String)
    case count
    /// One value, such as `max(age)`.
    case aggregate(String)
    /// How SQLite finds the rows: four columns, of which the last is a sentence.
    case plan
}

extension Store {
    /// Runs a query of the program.
    ///
    /// The text may come from anywhere: it is part of one `SELECT` that SQLite compiles under the handle's rules, so it cannot
    /// write, run pragmas with an effect or load code.
    /// - Parameter willCache: called with the compiled text; returns whether it is kept for the next such query, and the texts that
    ///   are not kept any more.
    /// - Throws: ``YapDatabaseError`` with code `badQuery`, which names the place, if the text is wrong or needs other
    ///   parameters.
    func cursor(
        _ selection: IndexSelection, in table: IndexTable, matching query: IndexQuery,
        willCache: (String) -> (isKept: Bool, dropped: [String]) = { _ in (true, []) }
    ) throws -> IndexCursor {
        let sql = IndexSQL(selection, table, query.text)
        for part in sql.parts where part.text.utf8.contains(0) {
            throw YapDatabaseError(.badQuery, "\(part.subject) of the extension \"\(table.name)\" has a NUL character.")
        }
        guard query.parameters.count <= handle.parameterLimit else {
            throw YapDatabaseError(
                .badQuery,
                "The query of the extension \"\(table.name)\" has \(query.parameters.count) values, and SQLite takes at most "
                    + "\(handle.parameterLimit). Divide the values among several queries.")
        }
        do {
            let (isKept, dropped) = willCache(sql.text)
            dropped.forEach(handle.forgetStatements)
            let statement = try isKept ? handle.statement(sql.text) : handle.newStatement(sql.text)
            do {
                try checkParameters(statement, table, query)
                for (place, value) in query.parameters.enumerated() { try statement.bind(value, at: place + 1) }
            } catch {
                statement.reset()
                throw error
            }
            return IndexCursor(statement) { sql.described($0, table) }
        } catch let error as YapDatabaseError where error.concernsQuery {
            throw sql.described(error, table)
        }
    }

    private func checkParameters(_ statement: SQLiteStatement, _ table: IndexTable, _ query: IndexQuery) throws {
        guard statement.isReadOnly else {
            throw YapDatabaseError(
                .badQuery, "The query of the extension \"\(table.name)\" would write.", sql: query.text)
        }
        guard statement.parameterCount == query.parameters.count else {
            throw YapDatabaseError(
                .badQuery,
                "The query of the extension \"\(table.name)\" has \(statement.parameterCount) parameters, and there are "
                    + "\(query.parameters.count) values for them.", sql: query.text)
        }
    }
}

/// The SQL of a query, and where the texts of the program are in it.
private struct IndexSQL {
    struct Part {
        let subject: String
        let text: String
        let start: Int
    }

    private(set) var text = ""
    private(set) var parts: [Part] = []

    init(_ selection: IndexSelection, _ table: IndexTable, _ query: String) {
        var end = ""
        switch selection {
        case .rowids: text = #"SELECT "rowid" FROM \#(table.quoted) "#
        case .column(let name): text = "SELECT \(Store.quoted(name)) FROM \(table.quoted) "
        case .plan: text = #"EXPLAIN QUERY PLAN SELECT "rowid" FROM \#(table.quoted) "#
        case .count:
            text = "SELECT count(*) FROM (SELECT 1 FROM \(table.quoted) "
            end = "\n)"
        case .aggregate(let function):
            text = "SELECT "
            add(function, "The aggregate function")
            text += "\nFROM \(table.quoted) "
        }
        add(query, "The query")
        text += end
    }

    private mutating func add(_ part: String, _ subject: String) {
        parts.append(Part(subject: subject, text: part, start: text.utf8.count))
        text += part
    }

    func described(_ error: YapDatabaseError, _ table: IndexTable) -> YapDatabaseError {
        // Not the text is wrong, but the file.
        if error.sqliteMessage?.endsWithBytes(of: "no such table: \(table.table)") == true { return error }
        let offset = error.sqlOffset ?? (error.sqliteMessage == "incomplete input" ? text.utf8.count : nil)
        // An error in what surrounds the texts has its cause in the last of them.
        let part = parts.last { offset ?? 0 >= $0.start } ?? parts[0]
        let place = offset.map { min(max(0, $0 - part.start), part.text.utf8.count) }
        return error.badQuery(part.subject, of: table.name, text: part.text, at: place)
    }
}
