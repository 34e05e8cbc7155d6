import ListChanges
import SQLiteBridge

extension Store {
    /// Drops an extension's tables, whatever its class. Tables of a name that differs only in case stay, although SQLite treats
    /// the names as equal.
    package func dropTables(ofExtension name: String) throws {
        for pattern in TableOwner.extensionTables {
            let table = pattern.prefix + name + pattern.suffix
            if try hasTable(table) { try drop(table) }
        }
    }

    /// Whether the file has a table of an extension, whatever its class.
    package func hasTables(ofExtension name: String) throws -> Bool {
        try TableOwner.extensionTables.contains { try hasTable($0.prefix + name + $0.suffix) }
    }

    /// A virtual table removes itself, which it cannot if what it keeps in tables of its own is damaged. Then it is taken out of the schema, and
    /// these are ordinary tables.
    private func drop(_ table: String) throws {
        do {
            try execute("DROP TABLE \(Self.quoted(table))")
        } catch let error as YapDatabaseError where error.code == .corrupt || error.code == .sqlite {
            try handle.changingSchema {
                try run("DELETE FROM sqlite_master WHERE type = 'table' AND rootpage = 0 AND name = ?") {
                    try $0.bind(table, at: 1)
                }
            }
            if try hasTable(table) { throw error }
            let tables = try all("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(at: 0) ?? "" }
            for own in tables where TableOwner.isShadow(own, of: table) {
                try execute("DROP TABLE \(Self.quoted(own))")
            }
        }
    }

    /// The name as a quoted SQL identifier.
    package static func quoted(_ name: String) -> String { "\"" + name.escaping("\"", with: "\"") + "\"" }

    /// Whether extensions with these names would have the same tables: SQLite ignores the case of ASCII letters in names.
    package static func shareTables(_ name: String, _ other: String) -> Bool {
        name.foldingASCIICase == other.foldingASCIICase
    }
}

extension String {
    fileprivate var foldingASCIICase: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}
