import SQLiteBridge
import FileEngine

/// A database in memory in which definitions are tried. Its rules prevent any computation by them.
struct ScratchSchema {
    struct Made {
        var kind: String
        var name: String
        var table: String
    }

    /// What came of a definition.
    enum Verdict {
        case made(Made)
        /// It is the statement of a virtual table that SQLite cannot make here, for the reason that the sentence says.
        case notHere(Made, String)
        /// It is no statement, or one that creates something else than the names say.
        case damaged
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
    mutating func takeBack() {
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

    /// The names of the tables that SQLite created for virtual tables.
    var madeTables: [String] {
        (try? store.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0", read: { $0.text(at: 0) ?? "" }))
            ?? []
    }

    /// Returns the columns of a table that SQLite created for a virtual table; nil for any other table.
    func columns(of table: String) -> [String]? {
        definition(of: table) == nil ? nil : try? store.columns(ofTable: table)
    }

    /// The number of stored columns of a table.
    func columnCount(of table: String) -> Int {
        let count = try? store.first(
            "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden IN (0, 3)", bind: { try $0.bind(table, at: 1) },
            read: { Int($0.int64(at: 0)) })
        return (count ?? nil) ?? 0
    }

    /// Returns the columns of a table that a text creates; nil if it is no statement that creates a table of this name.
    mutating func columns(of table: String, madeBy sql: String) -> [String]? {
        guard (try? define(sql)) != nil, hasTable(table) else { return nil }
        return try? store.columns(ofTable: table)
    }

    /// Tries a definition: what it creates must have one of these names. If so, it is kept.
    mutating func verdict(on sql: String, names: [String]) -> Verdict {
        let words = sql.uppercased()
        if words.hasPrefix("CREATE TABLE ") { return plainTable(sql, names) }
        if words.hasPrefix("CREATE VIRTUAL TABLE ") { return virtualTable(sql, names) }
        if words.hasPrefix("CREATE INDEX ") || words.hasPrefix("CREATE UNIQUE INDEX ") {
            guard (try? run(sql)) != nil else { return .damaged }
            return .made(Made(kind: "index", name: names[0], table: names[1]))
        }
        // Views and triggers are only checked for being readable.
        for kind in [ImportRules.Kind.view, .trigger] where words.hasPrefix("CREATE \(kind.rawValue.uppercased()) ") {
            guard let statement = try? rules.allowing(kind, { try store.handle.statement(sql) }) else {
                return .damaged
            }
            statement.reset()
            return .made(Made(kind: kind.rawValue, name: names[0], table: names[1]))
        }
        return .damaged
    }

    private mutating func plainTable(_ sql: String, _ names: [String]) -> Verdict {
        let before = names.filter(hasTable)
        do {
            try run(sql)
        } catch {
            // A definition that fails late, at its own index, leaves its table behind.
            if names.contains(where: { !before.contains($0) && hasTable($0) }) { defineAgain() }
            return .damaged
        }
        guard let name = names.first(where: { !before.contains($0) && hasTable($0, madeBy: sql) }) else {
            takeBack()
            return .damaged
        }
        return .made(Made(kind: "table", name: name, table: name))
    }

    /// Whether a text is the statement of a virtual table of one of these names, which need not work.
    func isVirtualTable(_ sql: String, _ names: [String]) -> Bool {
        rules.virtualTable(createdBy: sql, store).map { names.contains($0.name) } ?? false
    }

    /// SQLite checks the arguments of a virtual table only when it creates one.
    private func virtualTable(_ sql: String, _ names: [String]) -> Verdict {
        guard let (name, module) = rules.virtualTable(createdBy: sql, store), names.contains(name) else {
            return .damaged
        }
        let made = Made(kind: "virtual", name: name, table: name)
        guard SQLiteRules.modules.contains(module.lowercased()) else {
            return .notHere(made, "SQLite lacks the module \(module) here")
        }
        do {
            try rules.allowing(.virtual) { try store.execute(sql) }
            return .made(made)
        } catch let error as YapDatabaseError {
            return .notHere(made, Self.reason(error.sqliteMessage ?? error.message))
        } catch {
            return .notHere(made, "SQLite cannot make it here")
        }
    }

    private static func reason(_ message: String) -> String {
        for words in ["unknown tokenizer: ", "no such tokenizer: ", "no such module: "] where message.hasPrefix(words) {
            let kind = words.contains("module") ? "module" : "tokenizer"
            return "SQLite lacks the \(kind) \(message.dropFirst(words.count)) here"
        }
        return "SQLite cannot make it here: \(message)"
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
