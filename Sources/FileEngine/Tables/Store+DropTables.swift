import SQLiteBridge

extension Store {
    /// The tables that any extension of that name may have, by the original's rules.
    private static let tablePatterns: [(prefix: String, suffix: String)] = [
        ("view_", "_map"), ("view_", "_page"), ("view_", "_key"), ("view_", "_snippet"), ("secondaryIndex_", ""),
        ("fts_", ""), ("rTreeIndex_", ""), ("relationship_", ""), ("cloudKit_", ""), ("cloudcore_pipeline_", ""),
        ("cloudcore_queue_", ""), ("cloudcore_mapping_", ""), ("cloudcore_tag_", ""),
    ]

    /// How the names of all tables of extensions begin.
    static var tablePrefixes: Set<String> { Set(tablePatterns.map(\.prefix)) }

    /// Drops an extension's tables, also when nobody knows its class any more. Those of a name that differs in case stay,
    /// though SQLite would take them for these.
    package func dropTables(ofExtension name: String) throws {
        for pattern in Self.tablePatterns {
            let table = pattern.prefix + name + pattern.suffix
            if try hasTable(table) { try handle.execute("DROP TABLE \(Self.quoted(table))") }
        }
    }

    /// A name as SQL wants it.
    static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}

extension Store {
    /// Whether extensions with these names would have the same tables: SQLite takes `A` to `Z` for `a` to `z`.
    package static func shareTables(_ name: String, _ other: String) -> Bool {
        name.foldingASCIICase == other.foldingASCIICase
    }
}

extension String {
    fileprivate var foldingASCIICase: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}
