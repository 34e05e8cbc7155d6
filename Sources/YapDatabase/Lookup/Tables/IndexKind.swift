import FileEngine
import SQLiteBridge

/// The tables of secondary indexes, full-text searches or R-trees.
struct IndexKind: ExtensionKind {
    let kind: TableOwner.Kind

    var classNames: Set<String> { kind.classes }

    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange {
        if try store.excludes(collection, extension: name) { return .none }
        try store.markStale(extension: name)
        return try store.hasTable(kind.table(of: name)) ? .follows : .settled
    }

    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws {
        try removing(store) {
            for row in rows {
                try store.run(#"DELETE FROM \#(Store.quoted(kind.table(of: name))) WHERE "rowid" = ?"#) {
                    try $0.bind(row, at: 1)
                }
            }
        }
    }

    func removeAllRows(of name: String, _ store: Store) throws {
        try removing(store) { try store.execute("DELETE FROM \(Store.quoted(kind.table(of: name)))") }
    }

    /// The index is marked as stale already. One that SQLite cannot change stays as it is.
    private func removing(_ store: Store, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            try store.checkTransaction()
        }
    }

    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws {
        try check.checkRegistration(kind, &report)
        report.problems += try IndexCheck(store: check.store, kind: kind, progress: check.progress).problems()
    }
}

/// Checks that the rows of a secondary index, a full-text search or an R-tree are rows of the database, and that SQLite finds nothing wrong in
/// the tables of its modules.
///
/// Which columns a row should have only the extension's handler can tell.
struct IndexCheck {
    let store: Store
    let kind: TableOwner.Kind
    let progress: (String) -> Void

    func problems() throws -> [YapDatabaseProblem] {
        let owners = try store.tableOwners()
        let names = owners.compactMap { if case .extension(kind, let name) = $0 { name } else { nil } }
        return try Set(names).sorted().flatMap(problems)
    }

    private func problems(of name: String) throws -> [YapDatabaseProblem] {
        // While no program updates an index, its rows may go.
        guard let registered = try store.registeredExtension(name), !registered.isStale else { return [] }
        let table = kind.table(of: name)
        var notes = ProblemNotes()
        var unchecked: String?
        do {
            let lost = try store.rowidsWithoutRow(inTable: Store.quoted(table), limit: 10_000)
            for rowid in lost { notes.add("has an entry for row \(rowid), which does not exist") }
            if kind == .rTreeIndex, try isVirtual(table), let report = try treeReport(table), report != "ok" {
                notes.add(report)
            }
            if kind == .fts, try isVirtual(table) {
                progress("the texts of \(name)")
                switch try FullTextCheck(store, table: table).run() {
                case .sound: break
                case .damaged: notes.add("does not fit the texts that it keeps")
                case .unknown(let reason): unchecked = "could not be checked against the texts that it keeps: \(reason)"
                }
            }
        } catch let error as YapDatabaseError where error.code == .corrupt || error.code == .sqlite {
            notes.add("cannot be read: \(error)")
        }
        func sentence(_ note: String) -> String { "\(kind.rawValue) \"\(name)\": \(note)" }
        return notes.all.map { .inExtension(name, sentence($0), followsFromRows: true) }
            + (unchecked.map { [.unchecked(name, sentence($0))] } ?? [])
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
