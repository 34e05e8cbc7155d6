import SQLiteBridge

extension SQLiteRules {
    /// Rules for handles that write: the statements that the library and its extensions need, on their own tables only.
    static let library = SQLiteRules { action in
        switch action {
        case .select, .transaction, .reindex: true
        case .function(let name): isHarmless(function: name)
        case .pragma(let name): pragmas.contains(name.lowercased())
        case .read(let table), .write(let table), .createTable(let table), .dropTable(let table),
            .createIndex(let table), .dropIndex(let table):
            isOwn(table)
        case .createVirtualTable(let table, let module): isOwn(table) && modules.contains(module.lowercased())
        case .createView, .createTrigger, .other: false
        }
    }

    /// Rules for handles that only read a file of any program. Writes are allowed because an R-tree prepares its write
    /// statements when it is opened; SQLite rejects running them on a read-only handle.
    static let reader: SQLiteRules = {
        var rules = SQLiteRules { action in
            switch action {
            case .select, .transaction, .read, .write: true
            case .function(let name): isHarmless(function: name)
            case .pragma(let name): pragmas.contains(name.lowercased())
            default: false
            }
        }
        rules.standsInForMissing = true
        return rules
    }()

    /// Modules of virtual tables that are part of SQLite.
    package static let modules: Set = ["fts3", "fts4", "fts5", "rtree", "rtree_i32"]

    package static func isHarmless(function: String) -> Bool {
        !["load_extension", "fts3_tokenizer"].contains(function.lowercased())
    }

    private static let pragmas: Set = [
        "application_id", "auto_vacuum", "cache_size", "cell_size_check", "data_version", "encoding", "freelist_count",
        "ignore_check_constraints", "index_info", "index_list", "index_xinfo", "integrity_check", "journal_mode",
        "journal_size_limit", "locking_mode", "max_page_count", "mmap_size", "page_count", "page_size", "synchronous",
        "table_info", "table_list", "table_xinfo", "user_version", "wal_autocheckpoint", "writable_schema",
    ]

    /// Whether the table is the library's, an extension's or SQLite's own.
    private static func isOwn(_ table: String) -> Bool {
        let name = table.lowercased()
        return TableOwner.isOwn(name) || name.hasPrefix("sqlite_") || name.hasPrefix("pragma_")
    }
}
