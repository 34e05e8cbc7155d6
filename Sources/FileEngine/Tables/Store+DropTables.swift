import ListChanges
import SQLiteBridge

extension Store {
    /// Drops an extension's tables, whatever its class. Tables of a name that differs only in case stay, although SQLite treats
    /// the names as equal.
    package func dropTables(ofExtension name: String) throws {
        for pattern in TableOwner.extensionTables {
            let table = pattern.prefix + name + pattern.suffix
            if try hasTable(table) { try handle.execute("DROP TABLE \(Self.quoted(table))") }
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
