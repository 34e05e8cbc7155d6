import SQLiteBridge
import FileEngine

/// A database in memory in which definitions are tried. Its rules prevent any computation by them.
struct ScratchSchema {
    struct Made {
        var kind: String
        var name: String
        var table: String
    }

    private let store: Store
    /// The definitions may do what an import may do, and no more.
    private let rules = ImportRules()
    /// An unused page; each definition gets its own.
    private var page = 1_000
    /// The accepted definitions, for running them again.
    private var kept: [String] = []
    private var repeats = 0
    /// The most definitions that are run again, which takes seconds.
    private static let repeatLimit = 200_000

    init() throws { store = try Store(path: "", mode: .memory, rules: rules.rules, busyTimeout: 0) }

    /// Runs a definition of a table or an index and keeps it.
    mutating func run(_ sql: String) throws {
        try define(sql)
        kept.append(sql)
    }

    private mutating func define(_ sql: String) throws {
        page += 1
        try store.handle.define(sql, at: page)
    }

    /// Removes the last definition, which blocks another of the same name.
    private mutating func takeBack() {
        kept.removeLast()
        defineAgain()
    }

    private mutating func defineAgain() {
        repeats += kept.count
        guard repeats <= Self.repeatLimit else { return }
        store.handle.forgetDefinitions()
        for sql in kept { try? define(sql) }
    }

    /// Returns the definition of a table that SQLite created for a virtual table.
    func definition(of name: String) -> (name: String, sql: String)? {
        let sql = try? store.first(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ? AND rootpage > 0",
            bind: { try $0.bind(name, at: 1) }, read: { $0.text(at: 0) })
        return (sql ?? nil).map { (name, $0) }
    }

    /// Returns the columns of a table that SQLite created for a virtual table; nil for any other table.
    func columns(of table: String) -> [String]? {
        guard definition(of: table) != nil else { return nil }
        return try? store.all(
            "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", bind: { try $0.bind(table, at: 1) },
            read: { $0.text(at: 0) ?? "" })
    }

    /// Returns what a definition creates, if SQLite accepts it and it has one of these names. If so, it is kept.
    mutating func made(by sql: String, names: [String]) -> Made? {
        let words = sql.uppercased()
        if words.hasPrefix("CREATE TABLE ") || words.hasPrefix("CREATE VIRTUAL TABLE ") {
            let before = names.filter(hasTable)
            // SQLite checks the arguments of a virtual table only when it creates one.
            let isPlain = words.hasPrefix("CREATE TABLE ")
            do {
                if isPlain { try run(sql) } else { try rules.allowing(.virtual) { try store.execute(sql) } }
            } catch {
                // A definition that fails late, at its own index, leaves its table behind.
                if isPlain, names.contains(where: { !before.contains($0) && hasTable($0) }) { defineAgain() }
                return nil
            }
            guard let name = names.first(where: { !before.contains($0) && hasTable($0, madeBy: sql) }) else {
                if isPlain { takeBack() }
                return nil
            }
            return Made(kind: isPlain ? "table" : "virtual", name: name, table: name)
        }
        if words.hasPrefix("CREATE INDEX ") || words.hasPrefix("CREATE UNIQUE INDEX ") {
            guard (try? run(sql)) != nil else { return nil }
            return Made(kind: "index", name: names[0], table: names[1])
        }
        // Views and triggers are only checked for being readable.
        for kind in [ImportRules.Kind.view, .trigger] where words.hasPrefix("CREATE \(kind.rawValue.uppercased()) ") {
            guard let statement = try? rules.allowing(kind, { try store.handle.statement(sql) }) else { return nil }
            statement.reset()
            return Made(kind: kind.rawValue, name: names[0], table: names[1])
        }
        return nil
    }

    /// Asks the list of all tables only for a name that the definition spells otherwise.
    private func hasTable(_ name: String, madeBy sql: String) -> Bool {
        sql.contains(name) ? hasTableOfAnyCase(name) : hasTable(name)
    }

    /// O(1).
    private func hasTableOfAnyCase(_ name: String) -> Bool {
        let found = try? store.first(
            "SELECT 1 FROM pragma_table_xinfo(?1, 'main')", bind: { try $0.bind(name, at: 1) }, read: { _ in true })
        return found == true
    }

    /// Whether a table of exactly this name exists, with case. O(tables) if one does.
    private func hasTable(_ name: String) -> Bool {
        guard hasTableOfAnyCase(name) else { return false }
        let found = try? store.first(
            "SELECT 1 FROM pragma_table_list(?1) WHERE schema = 'main' AND name = ?1",
            bind: { try $0.bind(name, at: 1) }, read: { _ in true })
        return found == true
    }
}
