import FileEngine
import SQLiteBridge

// The definitions of index tables, as the original writes them:
//
// CREATE TABLE "secondaryIndex_<name>" ("rowid" INTEGER PRIMARY KEY, "<column>" TEXT, …)
// CREATE INDEX "<column>" ON "secondaryIndex_<name>" ("<column>")
// CREATE INDEX "<column>_<column>" ON "secondaryIndex_<name>" ("<column>", "<column>"), which only ours has
// CREATE VIRTUAL TABLE "fts_<name>" USING fts5("<column>", …, option=value, …)
// CREATE VIRTUAL TABLE "rTreeIndex_<name>" USING rtree("rowid" INTEGER PRIMARY KEY, "<column>" REAL, …)
extension Store {
    func createTable(_ table: IndexTable) throws { try execute(table.definition) }

    /// Creates the indexes of a secondary index. Quicker after the table is filled.
    ///
    /// The names of indexes and tables are unique in a file, and the original names an index like its column. If the name
    /// stands on another table, ours has the table's name before it.
    func createIndexes(_ table: IndexTable) throws {
        guard case .secondaryIndex = table.layout.kind else { return }
        for columns in table.layout.indexes {
            let short = columns.joined(separator: "_")
            let long = "\(table.table)_\(short)"
            var name = short
            var attempt = 1
            while try !isFree(name) {
                name = attempt == 1 ? long : "\(long)_\(attempt)"
                attempt += 1
            }
            try execute("CREATE INDEX \(Self.quoted(name)) ON \(table.quoted) (\(Self.listed(columns)))")
        }
    }

    /// Whether the file has exactly this table, and no index of it does more than find rows. Nothing is written to a table of
    /// another definition, because SQLite might run parts of it.
    func hasTable(_ layout: IndexLayout, extension name: String) throws -> Bool {
        let table = IndexTable(layout, extension: name)
        let items = try all(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name = ? AND type IN ('table', 'index')",
            bind: { try $0.bind(table.table, at: 1) },
            read: {
                SchemaItem(
                    type: $0.text(at: 0) ?? "", name: $0.text(at: 1) ?? "", table: $0.text(at: 2) ?? "",
                    sql: $0.text(at: 3) ?? "")
            })
        guard let found = items.first(where: { $0.type == "table" && $0.name == table.table }) else { return false }
        let plain = Set(table.layout.indexes.map { "(\(Self.listed($0, separator: ",")))" })
        for index in items where index.type == "index" {
            let packed = SchemaItem(type: "index", name: index.name, table: "", sql: index.sql).packed
            let start = "CREATEINDEX" + Self.quoted(index.name) + "ON" + table.quoted
            guard packed.hasPrefix(start), plain.contains(String(packed.dropFirst(start.count))) else { return false }
        }
        return table.accepts(found)
    }

    /// The module that stores a full-text search, such as `fts5`; nil if there is no such table.
    func fullTextModule(extension name: String) throws -> String? {
        let table = TableOwner.Kind.fts.rawValue + "_" + name
        let item = try first(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", bind: { try $0.bind(table, at: 1) },
            read: { SchemaItem(type: "table", name: table, table: table, sql: $0.text(at: 0) ?? "") })
        guard let words = item?.words.plain, words.contains("VIRTUAL") else { return nil }
        return ["fts5", "fts4", "fts3"].first { words.contains($0.uppercased()) }
    }

    private static func listed(_ columns: [String], separator: String = ", ") -> String {
        columns.map(quoted).joined(separator: separator)
    }

    private func isFree(_ name: String) throws -> Bool {
        if name.lowercased().hasPrefix("sqlite_") { return false }
        return try first(
            "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE", bind: { try $0.bind(name, at: 1) },
            read: { _ in false }) ?? true
    }
}

extension IndexTable {
    convenience init(_ layout: IndexLayout, extension name: String) {
        let kind: TableOwner.Kind =
            switch layout.kind {
            case .secondaryIndex: .secondaryIndex
            case .fullText: .fts
            case .rTree: .rTreeIndex
            }
        let table = kind.table(of: name)
        self.init(
            layout, name: name, table: table, quoted: Store.quoted(table), columns: layout.columns.map(Store.quoted))
    }

    fileprivate var definition: String {
        let columns = layout.columns.map(Store.quoted)
        switch layout.kind {
        case .secondaryIndex(let types):
            let columns = zip(columns, types).map { ", \($0) \($1)" }.joined()
            return #"CREATE TABLE \#(quoted) ("rowid" INTEGER PRIMARY KEY\#(columns))"#
        case .fullText(let module, let options):
            return "CREATE VIRTUAL TABLE \(quoted) USING \(module)(\((columns + options).joined(separator: ", ")))"
        case .rTree:
            let columns = columns.map { ", \($0) REAL" }.joined()
            return #"CREATE VIRTUAL TABLE \#(quoted) USING rtree("rowid" INTEGER PRIMARY KEY\#(columns))"#
        }
    }

    /// Whether an item of the schema has this definition, white space and the order of the options aside.
    fileprivate func accepts(_ item: SchemaItem) -> Bool {
        let expected = SchemaItem(type: "table", name: table, table: table, sql: definition).packed
        guard case .fullText = layout.kind else { return item.packed == expected }
        let (found, wanted) = (Self.parts(of: item.packed), Self.parts(of: expected))
        let count = layout.columns.count
        return found.prefix(count) == wanted.prefix(count) && found.sorted() == wanted.sorted()
    }

    /// The arguments of a virtual table. The first part also contains what stands before it, from `CREATE` on.
    private static func parts(of sql: String) -> [Substring] {
        (sql.hasSuffix(")") ? sql.dropLast() : sql[...]).split(separator: ",", omittingEmptySubsequences: false)
    }
}

/// How a table differs from the values that a row should have in it.
enum IndexDifference: Hashable, Sendable {
    case missingRow
    case extraRow
    case column(String, stored: SQLValue, expected: SQLValue)
}

extension Store {
    /// Compares what a table has of a row with values that are not stored, as SQLite would store them.
    /// - Parameter values: nil if the row should not be in the table.
    /// - Returns: the first difference; nil if there is none.
    func difference(
        of table: IndexTable, rowid: Int64, from values: [SQLValue]?
    ) throws -> IndexDifference? {
        let columns = table.layout.columns.map(Self.quoted)
        let comparisons = columns.enumerated().map { ", \($1) IS ?\($0 + 2)" }.joined()
        let equal = try first(
            #"SELECT 1\#(comparisons) FROM \#(table.quoted) WHERE "rowid" = ?1"#,
            bind: {
                try $0.bind(rowid, at: 1)
                for (place, value) in (values ?? []).enumerated() { try $0.bind(value, at: place + 2) }
            },
            read: { row in columns.indices.map { row.int64(at: $0 + 1) != 0 } })
        guard let equal, let values else { return equal != nil ? .extraRow : values != nil ? .missingRow : nil }
        if table.layout.storesNoValues { return nil }
        for (place, column) in columns.enumerated() where !equal[place] {
            let stored = try first(
                #"SELECT \#(column) FROM \#(table.quoted) WHERE "rowid" = ?"#, bind: { try $0.bind(rowid, at: 1) },
                read: { $0.value(at: 0) })
            guard let stored, !table.layout.rounds(values[place], to: stored) else { continue }
            return .column(table.layout.columns[place], stored: stored, expected: values[place])
        }
        return nil
    }
}

extension IndexLayout {
    /// Whether the table is one of those full-text searches that do not keep the texts themselves.
    var storesNoValues: Bool {
        guard case .fullText(_, let options) = kind else { return false }
        return options.contains { $0.lowercased().hasPrefix("content") }
    }

    /// Whether an R-tree, which stores 32-bit numbers, has this form of a value.
    fileprivate func rounds(_ value: SQLValue, to stored: SQLValue) -> Bool {
        guard case .rTree = kind, case .real(let stored) = stored else { return false }
        let value: Double =
            switch value {
            case .integer(let integer): Double(integer)
            case .real(let real): real
            case .text(let text): Double(text) ?? 0
            case .null, .blob: 0
            }
        // Numbers that such a one cannot hold are infinite there, or 0.
        return abs(value - stored) <= max(abs(value) / 1_000_000, Double(Float.leastNonzeroMagnitude))
            || Float(value) == Float(stored)
    }
}
