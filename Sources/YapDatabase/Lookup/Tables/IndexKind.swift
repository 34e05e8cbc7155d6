import FileEngine

/// The tables of secondary indexes, full-text searches or R-trees.
struct IndexKind: ExtensionKind {
    let kind: TableOwner.Kind

    var classNames: Set<String> { kind.classes }

    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange {
        if try store.excludes(collection, extension: name) { return .none }
        try store.markStale(extension: name)
        return try store.hasTable(table(name)) ? .follows : .settled
    }

    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws {
        try removing(store) {
            for row in rows {
                try store.run(#"DELETE FROM \#(Store.quoted(table(name))) WHERE "rowid" = ?"#) {
                    try $0.bind(row, at: 1)
                }
            }
        }
    }

    func removeAllRows(of name: String, _ store: Store) throws {
        try removing(store) { try store.execute("DELETE FROM \(Store.quoted(table(name)))") }
    }

    private func table(_ name: String) -> String { "\(kind.rawValue)_\(name)" }

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
        report.problems += try IndexCheck(store: check.store, kind: kind).problems()
    }
}
