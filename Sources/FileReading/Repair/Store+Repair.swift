import FileEngine
import SQLiteBridge

/// What an extension keeps, as far as a repair is concerned.
enum ExtensionContent {
    /// Nothing that does not follow from the rows, or from another extension.
    case derived
    /// Texts of rows, and an index of them.
    case texts
    /// Edges between rows.
    case edges
    /// Places of rows that a program gave them one by one.
    case places
    /// Operations for a server.
    case cloud
    case unknown
}

extension Store {
    /// The names of all tables.
    func tables() throws -> Set<String> {
        try Set(
            all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'") {
                $0.text(at: 0) ?? ""
            })
    }

    /// - Parameter className: of the extension's entry. Without one its tables tell.
    func content(of name: String, _ className: String?) throws -> ExtensionContent {
        let tables = try tables()
        let kinds = Set(
            tables.compactMap { table -> TableOwner.Kind? in
                guard case .extension(let kind, name) = TableOwner(table: table, among: tables) else { return nil }
                return kind
            })
        let kind = TableOwner.Kind.allCases.first { className.map($0.classes.contains) ?? kinds.contains($0) }
        switch kind {
        case .fts: return .texts
        case .relationship: return kinds.contains(.relationship) ? .edges : .derived
        case .secondaryIndex, .rTreeIndex, .derived: return .derived
        case .view: return className == nil || className == ManualViewRepair.className ? .places : .derived
        case nil: break
        }
        if CloudCoreTable.allCases.contains(where: { tables.contains($0.name(ofExtension: name)) }) { return .cloud }
        if className == CloudRepair.className { return .cloud }
        // A class of the app's own.
        if className != nil { return kinds.contains(.view) ? .places : .unknown }
        return .derived
    }

    /// Makes a full-text index again from the texts that it keeps.
    func rebuildFullText(_ name: String) throws {
        let table = Store.quoted("fts_\(name)")
        try execute("INSERT INTO \(table)(\(table)) VALUES ('rebuild')")
        // Texts of rows that are lost.
        let derived = try hasTable(TableOwner.derivedRowsTable) ? #" UNION ALL SELECT "rowid" FROM "yap_derived""# : ""
        try execute(#"DELETE FROM \#(table) WHERE rowid NOT IN (SELECT "rowid" FROM "database2"\#(derived))"#)
    }

    /// Whether SQLite finds a full-text index to be that of its texts.
    func isFullTextSound(_ name: String) -> Bool {
        let table = Store.quoted("fts_\(name)")
        return (try? execute("INSERT INTO \(table)(\(table)) VALUES ('integrity-check')")) != nil
    }

    /// Deletes rows and says of each what it was.
    /// - Parameters:
    ///   - words: an expression with the words for a row.
    ///   - limit: how many are named.
    func remove(from table: String, where condition: String, saying words: String, limit: Int = 100_000) throws
        -> [String]
    {
        let name = Store.quoted(table)
        let removed = try all("SELECT \(words) FROM \(name) AS t WHERE \(condition) LIMIT \(limit)") {
            $0.text(at: 0) ?? ""
        }
        if !removed.isEmpty { try execute("DELETE FROM \(name) AS t WHERE \(condition)") }
        return removed
    }
}
