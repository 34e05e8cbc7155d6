import SQLiteBridge

/// Queries of the whole-file check.
extension Store {
    private static let endOfCheck = "the damage prevents SQLite from checking further"

    private static let cannotBeChecked = "cannot be checked: "
    private static let neverUsed = "is never used"

    /// SQLite's findings, attributed to the damaged tables.
    func structureProblems(path: String) throws -> [YapDatabaseProblem] {
        let damage = try integrityCheck()
        if damage.isEmpty { return [] }
        var problems: [YapDatabaseProblem] = []
        var reported: Set<String> = []
        let tables = try tableNames()
        for table in tables.sorted() {
            let lines = try integrityCheck(of: table)
            reported.formUnion(lines)
            let owner = TableOwner(table: table, among: tables)
            let losesRows = try lines.contains { try isLoss($0, of: table) }
            problems += try lines.map { try problem($0, in: table, of: owner, losesRows: losesRows, path: path) }
        }
        // Findings that no table's own check reports concern the space between tables.
        let others = damage.filter { !reported.contains($0) && !$0.hasPrefix(Self.cannotBeChecked) }
        guard problems.contains(where: { $0.kind != .foreign }) else {
            return problems
                + others.map {
                    $0.hasPrefix(Self.endOfCheck) ? .inRows($0, path: path) : .betweenTables($0, path: path)
                }
        }
        let stray = others.compactMap(Self.unusedPage)
        if let first = stray.first {
            let more = stray.count > 1 ? " and \(stray.count - 1) more" : ""
            problems.append(.strayPage("no table leads to page \(first)\(more)", path: path))
        }
        return problems
            + others.filter { Self.unusedPage($0) == nil }.map { line in
                .inRows(line.hasPrefix(Self.endOfCheck) ? line : "between the tables: \(line)", path: path)
            }
    }

    private static func unusedPage(_ line: String) -> Substring? {
        guard line.hasSuffix(neverUsed), line.hasPrefix("Page ") else { return nil }
        return line.dropFirst("Page ".count).dropLast(neverUsed.count + 1)
    }

    /// Whether a finding says more than that an index lacks entries.
    private func isLoss(_ line: String, of table: String) throws -> Bool {
        if line.contains("missing from index") || line.hasPrefix(Self.cannotBeChecked) { return false }
        let words = "wrong # of entries in index "
        guard line.hasPrefix(words) else { return true }
        // Entries without rows are what is left of rows.
        func count(_ way: String) -> Int? {
            (try? first("SELECT count(*) FROM \(Store.quoted(table)) \(way)") { Int($0.int64(at: 0)) }) ?? nil
        }
        guard let rows = count("NOT INDEXED") else { return true }
        return (count("INDEXED BY \(Store.quoted(String(line.dropFirst(words.count))))") ?? 0) > rows
    }

    /// Every extension of a kind that has tables or an entry in `yap2`.
    package func names(_ kind: TableOwner.Kind) throws -> [String] {
        let owners = try tableOwners()
        let withTables = owners.compactMap { if case .extension(kind, let name) = $0 { name } else { nil } }
        return try Set(withTables + registeredNames(kind)).sorted()
    }

    /// Extensions of a kind that have an entry in `yap2` but no table, and the reverse.
    func problemsOfRegistration(_ kind: TableOwner.Kind) throws -> [YapDatabaseProblem] {
        let owners = try tableOwners()
        let tables = Set(owners.compactMap { if case .extension(kind, let name) = $0 { name } else { nil } })
        let names = try Set(registeredNames(kind))
        let isDerived = kind != .relationship
        func problem(_ name: String, _ what: String) -> YapDatabaseProblem {
            .inExtension(name, of: kind, "\(kind.rawValue) \"\(name)\": \(what)", followsFromRows: isDerived)
        }
        return names.subtracting(tables).sorted().map { problem($0, "has an entry in yap2, but no table") }
            + tables.subtracting(names).sorted().map { problem($0, "has a table, but no entry in yap2") }
    }

    package func hasTable(_ name: String) throws -> Bool {
        try first(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", bind: { try $0.bind(name, at: 1) },
            read: { _ in true }) ?? false
    }

    /// The names of the columns that a table stores, in their order: neither hidden nor generated ones. Empty if there is no such table.
    package func columns(ofTable name: String) throws -> [String] {
        try all("SELECT name FROM pragma_table_info(?)", bind: { try $0.bind(name, at: 1) }) { $0.text(at: 0) ?? "" }
    }

    private func registeredNames(_ kind: TableOwner.Kind) throws -> [String] {
        try yapExtensionNames().filter { name in
            try registeredExtension(name).map { kind.classes.contains($0.className) } ?? false
        }
    }

    package func tableOwners() throws -> [TableOwner] {
        let tables = try tableNames()
        return tables.map { TableOwner(table: $0, among: tables) }
    }

    private func tableNames() throws -> Set<String> {
        try Set(
            all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'") {
                $0.text(at: 0) ?? ""
            })
    }

    /// SQLite's findings; empty if the file is intact.
    private func integrityCheck(of table: String? = nil) throws -> [String] {
        let argument = table.map { "(\(Store.quoted($0)))" } ?? ""
        var lines: [String] = []
        do {
            let statement = try handle.statement("PRAGMA integrity_check\(argument)")
            defer { statement.reset() }
            // The first line only names the database. One text may hold several lines.
            while try statement.step() {
                lines += (statement.text(at: 0) ?? "").split(separator: "\n").map(String.init)
                    .filter { $0 != "ok" && !$0.hasPrefix("***") }
            }
            return lines
        } catch let error as YapDatabaseError where error.code == .corrupt {
            return lines + ["\(Self.endOfCheck) (SQLite error \(error.sqliteCode ?? 0))"]
        } catch let error as YapDatabaseError where error.sqliteCode == SQLiteError.missing {
            // A collation or a function that only the app has. What the comparisons before it said is worth nothing.
            let words = ["order", "missing from index", "non-unique"]
            return lines.filter { line in !words.contains(where: line.contains) }
                + [Self.cannotBeChecked + (error.sqliteMessage ?? error.message)]
        }
    }

    private func problem(
        _ line: String, in table: String, of owner: TableOwner, losesRows: Bool, path: String
    ) throws -> YapDatabaseProblem {
        let text = "table \"\(table)\": \(line)"
        if line.hasPrefix(Self.cannotBeChecked) { return .unreadable(text) }
        if let cloud = CloudCoreTable(table: table) {
            return .inExtension(String(table.dropFirst(cloud.rawValue.count)), text, followsFromRows: false)
        }
        switch owner {
        case .extension(let kind, let name):
            return try .inExtension(name, of: kind, text, followsFromRows: isFilledAgain(extension: name))
        case .rows, .derivedRows, .replacedRows, .smallValues, .commitRecords, .unknown:
            // An index that is made again no longer has the keys of rows that are lost.
            return losesRows ? .inRows(text, path: path) : .inIndex(text, path: path)
        }
    }
}
