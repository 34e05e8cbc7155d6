import FileEngine
import Foundation
import SQLiteBridge

/// What a search returns of each row after its rowid, and in which order.
enum SearchForm: Hashable, Sendable {
    case rowids
    /// The best matches first; how much each column counts, 1 for those that are not in the list.
    case byRank(weights: [Double])
    /// The part of a row's text that matches best.
    case snippets(SnippetForm)
}

/// How a snippet is cut and marked.
struct SnippetForm: Hashable, Sendable {
    var start: String
    var end: String
    var ellipsis: String
    /// The index of the column; -1 for the one that matches best.
    var column: Int
    var tokens: Int

    init(start: String, end: String, ellipsis: String, column: Int, tokens: Int) {
        self.start = start
        self.end = end
        self.ellipsis = ellipsis
        self.column = column
        self.tokens = tokens
    }
}

extension Store {
    /// Searches for rows.
    /// - Parameters:
    ///   - module: the one that stores the table.
    ///   - rowid: the only row to search; nil for all.
    /// - Throws: ``YapDatabaseError`` with code `badQuery`, which names the place, if the text is no `MATCH` expression. Also
    ///   ``IndexCursor/next()`` throws it.
    func search(
        _ text: String, in table: IndexTable, module: String, _ form: SearchForm, rowid: Int64? = nil
    ) throws -> IndexCursor {
        // In FTS5 a text without a word is an error.
        if text.allSatisfy(\.isWhitespace) {
            return IndexCursor(try handle.statement("SELECT NULL WHERE 0")) { $0 }
        }
        let (selection, order) = Self.sql(form, table.quoted)
        let condition = rowid == nil ? "" : #" AND "rowid" = ?2"#
        let statement = try handle.statement(
            #"SELECT "rowid"\#(selection) FROM \#(table.quoted) WHERE \#(table.quoted) MATCH ?1\#(condition)\#(order)"#)
        do {
            try statement.bind(text, at: 1)
            if let rowid { try statement.bind(rowid, at: 2) }
            for (place, value) in Self.values(form, module).enumerated() { try statement.bind(value, at: place + 3) }
        } catch {
            statement.reset()
            throw error
        }
        return IndexCursor(statement) { [self] error in
            error.badQuery("The search", of: table.name, text: text, at: place(of: error, in: text, table))
        }
    }

    private static func sql(_ form: SearchForm, _ table: String) -> (selection: String, order: String) {
        switch form {
        case .rowids: return ("", "")
        case .byRank(let weights):
            let arguments = [table] + weights.indices.map { "?\($0 + 3)" }
            return ("", " ORDER BY bm25(\(arguments.joined(separator: ", ")))")
        case .snippets: return (", snippet(\(table), ?3, ?4, ?5, ?6, ?7)", "")
        }
    }

    /// The values of the parameters from the third on.
    private static func values(_ form: SearchForm, _ module: String) -> [SQLValue] {
        switch form {
        case .rowids: return []
        case .byRank(let weights): return weights.map(SQLValue.real)
        case .snippets(let form):
            let marks = [form.start, form.end, form.ellipsis].map(SQLValue.text)
            let (column, tokens) = (SQLValue.integer(Int64(form.column)), SQLValue.integer(Int64(form.tokens)))
            return module == "fts5" ? [column] + marks + [tokens] : marks + [column, tokens]
        }
    }

    /// Where a `MATCH` expression is wrong, in bytes. SQLite names at most the word, so parts of the text are tried.
    private func place(of error: YapDatabaseError, in text: String, _ table: IndexTable) -> Int? {
        guard let message = error.sqliteMessage else { return nil }
        if let word = message.quotedWord {
            if word.isEmpty { return text.utf8.count }
            let ends = text.ends(of: word)
            // The parser stops at the first error, so the beginning up to the word fails in the same way.
            let end =
                ends.first { failure(String(text[..<$0]), table) == message }
                ?? ends.first { text.isArgument(word, endingAt: $0) } ?? ends.first
            return end.map { text.utf8.distance(from: text.startIndex, to: $0) - word.utf8.count }
        }
        // The longest beginning that can be searched for ends before the place.
        let ends = text.indices.filter { text[$0].isWhitespace || "()\"".contains(text[$0]) }.suffix(Self.attempts)
        var place = ends.last { $0 > text.startIndex && failure(String(text[..<$0]), table) == nil } ?? text.startIndex
        while place < text.endIndex, text[place].isWhitespace { place = text.index(after: place) }
        return text.utf8.distance(from: text.startIndex, to: place)
    }

    /// The most beginnings of a wrong text that are tried.
    private static let attempts = 64

    /// SQLite's message about a text; nil if it can be searched for.
    private func failure(_ text: String, _ table: IndexTable) -> String? {
        do {
            _ = try first(
                "SELECT 1 FROM \(table.quoted) WHERE \(table.quoted) MATCH ? LIMIT 1",
                bind: { try $0.bind(text, at: 1) },
                read: { _ in true })
            return nil
        } catch {
            return (error as? YapDatabaseError)?.sqliteMessage ?? ""
        }
    }
}

extension String {
    /// What stands between the quotes, or after the colon, at the end of a message.
    fileprivate var quotedWord: Substring? {
        if hasSuffix("\""), let start = range(of: "near \"") { return self[start.upperBound...].dropLast() }
        for start in ["no such column: ", "expected integer, got \""] where hasPrefix(start) || contains(start) {
            guard let found = range(of: start) else { continue }
            let word = self[found.upperBound...]
            return word.hasSuffix("\"") ? word.dropLast() : word
        }
        return nil
    }

    /// Whether a word is a column's name, which a colon follows, or the number of a `NEAR`, which a comma precedes.
    fileprivate func isArgument(_ word: Substring, endingAt end: Index) -> Bool {
        let following = self[end...].drop { $0.isWhitespace || "}\"".contains($0) }
        let preceding = self[..<index(end, offsetBy: -word.count)].reversed().first { !$0.isWhitespace }
        return following.first == ":" || preceding == ","
    }

    /// The ends of the first places at which a word stands.
    fileprivate func ends(of word: Substring) -> [Index] {
        var ends: [Index] = []
        var start = startIndex
        while ends.count < 64, let found = range(of: word, range: start..<endIndex) {
            ends.append(found.upperBound)
            start = found.upperBound
        }
        return ends
    }
}
