import SQLiteBridge
import FileEngine

/// A database in memory in which definitions are tried. Nothing is computed, whatever they say.
struct ScratchSchema {
    struct Made {
        var kind: String
        var name: String
        var table: String
    }

    private let store: Store
    /// What an import may make can be tried, and no more.
    private let rules = ImportRules()
    /// A page on which nothing is; each definition has one of its own.
    private var page = 1_000
    /// What was taken over, to be taken over again.
    private var kept: [String] = []
    private var repeats = 0
    /// Definitions that are taken over again at most, seconds.
    private static let repeatLimit = 200_000

    init() throws { store = try Store(path: "", mode: .memory, rules: rules.rules, busyTimeout: 0) }

    /// Takes over a definition of a table or an index.
    mutating func run(_ sql: String) throws {
        try define(sql)
        kept.append(sql)
    }

    private mutating func define(_ sql: String) throws {
        page += 1
        try store.handle.define(sql, at: page)
    }

    /// Takes back the last definition, which stands in the way of another with the same name.
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

    /// The definition of a table that SQLite made for a virtual one.
    func definition(of name: String) -> (name: String, sql: String)? {
        let sql = try? store.first(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ? AND rootpage > 0",
            bind: { try $0.bind(name, at: 1) }, read: { $0.text(at: 0) })
        return (sql ?? nil).map { (name, $0) }
    }

    /// The columns of a table that SQLite made for a virtual one; nil for any other.
    func columns(of table: String) -> [String]? {
        guard definition(of: table) != nil else { return nil }
        return try? store.all(
            "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", bind: { try $0.bind(table, at: 1) },
            read: { $0.text(at: 0) ?? "" })
    }

    /// What a definition makes, if SQLite takes it and it has one of these names. From then on it is there.
    mutating func made(by sql: String, names: [String]) -> Made? {
        let words = sql.uppercased()
        if words.hasPrefix("CREATE TABLE ") || words.hasPrefix("CREATE VIRTUAL TABLE ") {
            let before = names.filter(hasTable)
            // SQLite looks at what is between the parentheses of a virtual table only where it makes one.
            let isPlain = words.hasPrefix("CREATE TABLE ")
            do {
                if isPlain { try run(sql) } else { try rules.allowing(.virtual) { try store.execute(sql) } }
            } catch {
                // A definition that fails late, at an index of its own, has left its table.
                if isPlain, names.contains(where: { !before.contains($0) && hasTable($0) }) { defineAgain() }
                return nil
            }
            guard let name = names.first(where: { !before.contains($0) && hasTable($0) }) else {
                if isPlain { takeBack() }
                return nil
            }
            return Made(kind: isPlain ? "table" : "virtual", name: name, table: name)
        }
        if words.hasPrefix("CREATE INDEX ") || words.hasPrefix("CREATE UNIQUE INDEX ") {
            guard (try? run(sql)) != nil else { return nil }
            return Made(kind: "index", name: names[0], table: names[1])
        }
        // Of views and triggers only whether they can be read.
        for kind in [ImportRules.Kind.view, .trigger] where words.hasPrefix("CREATE \(kind.rawValue.uppercased()) ") {
            guard let statement = try? rules.allowing(kind, { try store.handle.statement(sql) }) else { return nil }
            statement.reset()
            return Made(kind: kind.rawValue, name: names[0], table: names[1])
        }
        return nil
    }

    /// Capitals count.
    private func hasTable(_ name: String) -> Bool {
        let found = try? store.first(
            "SELECT 1 FROM pragma_table_list(?1) WHERE schema = 'main' AND name = ?1",
            bind: { try $0.bind(name, at: 1) }, read: { _ in true })
        return found == true
    }
}
