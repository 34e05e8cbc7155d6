import FileEngine
import SQLiteBridge

/// Checks that the rows of a secondary index, a full-text search or an R-tree are rows of the database.
///
/// Which columns a row should have only the extension's handler can tell.
struct IndexCheck {
    let store: Store
    let kind: TableOwner.Kind

    func problems() throws -> [YapDatabaseProblem] {
        let owners = try store.tableOwners()
        let names = owners.compactMap { if case .extension(kind, let name) = $0 { name } else { nil } }
        return try Set(names).sorted().flatMap(problems)
    }

    private func problems(of name: String) throws -> [YapDatabaseProblem] {
        // While no program updates an index, its rows may go.
        guard let registered = try store.registeredExtension(name), !registered.isStale else { return [] }
        let table = "\(kind.rawValue)_\(name)"
        var notes = ProblemNotes()
        do {
            let lost = try store.all(
                #"""
                SELECT i."rowid" FROM \#(Store.quoted(table)) AS i WHERE NOT EXISTS \#
                (SELECT 1 FROM "database2" AS d WHERE d."rowid" = i."rowid") LIMIT 10000
                """#
            ) { $0.int64(at: 0) }
            for rowid in lost { notes.add("has an entry for row \(rowid), which does not exist") }
            if kind == .rTreeIndex, try isVirtual(table), let report = try treeReport(table), report != "ok" {
                notes.add(report)
            }
        } catch let error as YapDatabaseError where error.code == .corrupt || error.code == .sqlite {
            notes.add("cannot be read: \(error)")
        }
        return notes.all.map { .inExtension(name, "\(kind.rawValue) \"\(name)\": \($0)", followsFromRows: true) }
    }

    private func isVirtual(_ table: String) throws -> Bool {
        try store.first(
            "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?",
            bind: { try $0.bind(table, at: 1) }, read: { $0.int64(at: 0) == 0 }) ?? false
    }

    private func treeReport(_ table: String) throws -> String? {
        try store.first("SELECT rtreecheck('main', ?)", bind: { try $0.bind(table, at: 1) }, read: { $0.text(at: 0) })
            ?? nil
    }
}
