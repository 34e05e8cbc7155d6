import FileEngine
import SQLiteBridge

/// The rows that a query of the program finds, in the query's order. An error about the query's text names the place.
final class IndexCursor {
    private let statement: SQLiteStatement
    private let described: (YapDatabaseError) -> YapDatabaseError

    init(_ statement: SQLiteStatement, described: @escaping (YapDatabaseError) -> YapDatabaseError) {
        self.statement = statement
        self.described = described
    }

    deinit { statement.reset() }

    func next() throws -> Bool {
        do {
            return try statement.step()
        } catch let error as YapDatabaseError where error.concernsQuery {
            throw described(error)
        }
    }

    var rowid: Int64 { statement.int64(at: 0) }
    func value(at column: Int) -> SQLValue { statement.value(at: column) }
    func text(at column: Int) -> String { statement.text(at: column) ?? "" }
}

extension YapDatabaseError {
    /// Whether SQLite rejects a statement, rather than fails to run it.
    var concernsQuery: Bool {
        guard code == .sqlite || code == .valueTooLarge, let sqliteCode else { return false }
        return [SQLiteError.statement, SQLiteError.forbidden, SQLiteError.mismatch, SQLiteError.tooBig]
            .contains(sqliteCode & 0xff)
    }

    /// The error about a text of the program.
    /// - Parameters:
    ///   - subject: such as `the query`.
    ///   - offset: the place in the text, in bytes.
    func badQuery(_ subject: String, of name: String, text: String, at offset: Int?) -> YapDatabaseError {
        var message = "\(subject) of the extension \"\(name)\" is wrong: \(sqliteMessage ?? self.message)"
        if let offset, (0...text.utf8.count).contains(offset) {
            let place = String(decoding: text.utf8.prefix(offset), as: UTF8.self).count
            let following = String(decoding: text.utf8.dropFirst(offset), as: UTF8.self)
            message +=
                following.isEmpty ? ", at its end" : ", at character \(place + 1), before \"\(following.prefix(40))\""
        }
        var error = YapDatabaseError(.badQuery, message + ".", sql: text, sqliteCode: sqliteCode)
        error.sqliteMessage = sqliteMessage
        error.sqlOffset = offset
        return error
    }
}
