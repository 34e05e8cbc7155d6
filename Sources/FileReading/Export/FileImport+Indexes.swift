import FileEngine
import Foundation
import SQLiteBridge

/// Creates the indexes of an imported file.
extension FileImport {
    /// Creates an index, a trigger or a view after all rows are inserted.
    ///
    /// An index that needs a function or a collation of the app is left to the app. Rows that are equal under a unique index are removed first,
    /// except one of them.
    func makeIndex(_ kind: ImportRules.Kind, _ sql: String) throws {
        do {
            noteOrder()
            try run(sql, kind)
            if let words = store.handle.takeUsedMissing().first { try dropIndex(sql, words) }
        } catch let error as YapDatabaseError where error.sqliteCode == SQLiteError.missing {
            leaveOut(sql, error.sqliteMessage ?? "it is missing")
        } catch let error as YapDatabaseError where Self.isBrokenRule(error) {
            try removeTwins(sql)
            brokenRule = brokenRule ?? error.message
            try run(sql, kind)
        }
    }

    /// Removes an index that was made with another order than the app's collation gives.
    private func dropIndex(_ sql: String, _ words: String) throws {
        let name = try store.first("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY rowid DESC LIMIT 1") {
            $0.text(at: 0) ?? ""
        }
        if let name { try store.execute("DROP INDEX \(name.quotedSQL)") }
        leaveOut(sql, "\(words) is missing")
    }

    private func leaveOut(_ sql: String, _ reason: String) {
        notes.append("An index is left to the app, because here \(reason). It has to run: \(sql)")
    }

    /// Notes each collation of the app that is missing here, so that rows were compared by their bytes.
    private func noteOrder() {
        for words in store.handle.takeUsedMissing() {
            let name = words.split(separator: " ").last.map(String.init) ?? words
            notes.append(
                "Keys are ordered by their bytes, because here \(words) is missing. Before the app uses the file, it has to run: "
                    + "REINDEX \(name.quotedSQL)")
        }
    }

    /// Removes all but the first of the rows that are equal under a unique index.
    private func removeTwins(_ sql: String) throws {
        guard let unique = sql.range(of: "UNIQUE", options: .caseInsensitive) else { return }
        let known = Set(try store.all("SELECT name FROM sqlite_master WHERE type = 'index'") { $0.text(at: 0) ?? "" })
        try run(sql.replacingCharacters(in: unique, with: ""), .index)
        let made = try store.all("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'") {
            ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "")
        }
        for (index, table) in made where !known.contains(index) {
            let columns = try store.all(
                "SELECT name FROM pragma_index_info(?)", bind: { try $0.bind(index, at: 1) },
                read: { ($0.text(at: 0) ?? "").quotedSQL }
            ).joined(separator: ", ")
            let twins = "rowid NOT IN (SELECT min(rowid) FROM \(table.quotedSQL) GROUP BY \(columns))"
            try note(RefusedRow.list(table, where: twins, rule: "another row has its key", store))
            try store.execute("DELETE FROM \(table.quotedSQL) WHERE \(twins)")
            leftOut += store.handle.changes
            try store.execute("DROP INDEX \(index.quotedSQL)")
        }
    }
}
