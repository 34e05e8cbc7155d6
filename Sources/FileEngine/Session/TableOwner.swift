import ListChanges

/// What a table of the file belongs to, by its name: the one list of the tables that this library and the original make.
package enum TableOwner: Hashable {
    case rows
    /// Rows that lists of this library derive from others.
    case derivedRows
    /// Rows that pending mutations have replaced.
    case replacedRows
    case smallValues
    /// Records of commits for other processes. The table exists only while several processes have the file open.
    case commitRecords
    case `extension`(Kind, name: String)
    case unknown

    package enum Kind: String, CaseIterable {
        case view, secondaryIndex, fts, rTreeIndex, relationship, derived

        var plural: String {
            switch self {
            case .view: "views"
            case .secondaryIndex: "secondary indexes"
            case .fts: "full-text indexes"
            case .rTreeIndex: "R-tree indexes"
            case .relationship: "relationships"
            case .derived: "derived rows"
            }
        }

        /// Class names that `yap2` stores for extensions with tables of this kind.
        package var classes: Set<String> {
            switch self {
            case .view:
                [
                    "YapDatabaseView", "YapDatabaseAutoView", "YapDatabaseManualView", "YapDatabaseFilteredView",
                    "YapDatabaseSearchResultsView",
                ]
            case .secondaryIndex: ["YapDatabaseSecondaryIndex"]
            case .fts: ["YapDatabaseFullTextSearch"]
            case .rTreeIndex: ["YapDatabaseRTreeIndex"]
            case .relationship: ["YapDatabaseRelationship"]
            case .derived: ["YapDatabaseDerivedRows", "YapDatabaseDerivedRowsOfList"]
            }
        }

        /// The name of the table of an extension, without ``endings``.
        package func table(of name: String) -> String { "\(rawValue)_\(name)" }

        /// Suffixes of the tables' names, after the extension's. Older versions of views have `_key` and `_snippet`.
        package var endings: [String] { self == .view ? ["_page", "_map", "_key", "_snippet"] : [""] }

        /// Suffixes of the tables that any version of SQLite makes for one virtual table.
        fileprivate var shadowEndings: [String] {
            switch self {
            case .view, .secondaryIndex, .relationship, .derived: []
            case .fts:
                ["_content", "_segments", "_segdir", "_docsize", "_stat", "_data", "_idx", "_config"]
            case .rTreeIndex: ["_node", "_rowid", "_parent"]
            }
        }
    }

    package static let commitRecordsTable = "yap_commits"
    package static let derivedRowsTable = "yap_derived"
    package static let replacedRowsTable = "yap_replaced"

    /// Tables that belong to no extension. Layouts before version 3 have `database` and `yap`.
    private static let fixedTables: [String: TableOwner] = [
        "database2": .rows, "database": .rows, "yap2": .smallValues, "yap": .smallValues,
        commitRecordsTable: .commitRecords, derivedRowsTable: .derivedRows,
        replacedRowsTable: .replacedRows,
    ]

    /// Prefix and suffix around the extension's name, for every table that an extension may have by the original's rules.
    static let extensionTables: [(prefix: String, suffix: String)] =
        Kind.allCases.flatMap { kind in kind.endings.map { ("\(kind.rawValue)_", $0) } }
        + [
            "cloudcore_pipeline_", "cloudcore_queue_", "cloudKit_mapping_", "cloudKit_record_", "cloudKit_queue_",
        ].map { ($0, "") } + CloudCoreTable.allCases.map { ($0.rawValue, "") }

    private static let extensionPrefixes = Set(extensionTables.map { $0.prefix.lowercased() })

    /// Whether the table belongs to the library or to an extension. SQLite ignores the case of ASCII letters in names.
    static func isOwn(_ table: String) -> Bool {
        let name = table.lowercased()
        return fixedTables[name] != nil || extensionPrefixes.contains(where: name.startsWithBytes)
    }

    /// Whether the name is one of those that SQLite gives the tables of a virtual table.
    package static func isShadow(_ table: String, of virtual: String) -> Bool {
        Kind.allCases.contains { $0.shadowEndings.contains { table == virtual + $0 } }
    }

    /// Whether the name is that of a view's pages or map in today's layout.
    static func isViewContent(_ table: String) -> Bool {
        table.startsWithBytes(of: "view_") && (table.endsWithBytes(of: "_map") || table.endsWithBytes(of: "_page"))
    }

    /// Whether the name is that of a relationship's edges.
    static func isEdges(_ table: String) -> Bool { table.startsWithBytes(of: "\(Kind.relationship.rawValue)_") }

    /// - Parameter tables: all tables of the file. An extension's name may end like a table of SQLite's own.
    package init(table: String, among tables: Set<String>) {
        self = Self.fixedTables[table] ?? Self.extensionOwner(of: table, among: tables) ?? .unknown
    }

    private static func extensionOwner(of table: String, among tables: Set<String>) -> TableOwner? {
        for kind in Kind.allCases {
            guard let suffix = table.dropping(prefix: kind.rawValue + "_") else { continue }
            func name(before ending: String) -> String { String(Substring(suffix.utf8.dropLast(ending.utf8.count))) }
            for ending in kind.shadowEndings where suffix.endsWithBytes(of: ending) {
                let name = name(before: ending)
                if tables.contains(kind.table(of: name)) { return .extension(kind, name: name) }
            }
            guard let ending = kind.endings.first(where: suffix.endsWithBytes) else { return nil }
            return .extension(kind, name: name(before: ending))
        }
        return nil
    }
}
