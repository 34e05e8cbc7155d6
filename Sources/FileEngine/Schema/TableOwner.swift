/// What a table of the file belongs to, by its name.
package enum TableOwner: Hashable {
    case rows
    case smallValues
    /// What processes tell each other of their commits, of use only while several have the file open.
    case commitRecords
    case `extension`(Kind, name: String)
    case unknown

    package enum Kind: String, CaseIterable {
        case view, secondaryIndex, fts, rTreeIndex, relationship

        var plural: String {
            switch self {
            case .view: "views"
            case .secondaryIndex: "secondary indexes"
            case .fts: "full-text indexes"
            case .rTreeIndex: "R-tree indexes"
            case .relationship: "relationships"
            }
        }

        /// Classes that `yap2` has for extensions with tables of this kind.
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
            }
        }

        /// Endings of the tables' names beyond the extension's.
        fileprivate var endings: [String] { self == .view ? ["_page", "_map", "_key", "_snippet"] : [""] }

        /// Endings of SQLite's own tables for one virtual table, of any version of it.
        fileprivate var shadowEndings: [String] {
            switch self {
            case .view, .secondaryIndex, .relationship: []
            case .fts:
                ["_content", "_segments", "_segdir", "_docsize", "_stat", "_data", "_idx", "_config"]
            case .rTreeIndex: ["_node", "_rowid", "_parent"]
            }
        }
    }

    /// - Parameter tables: all of the file. A name may end like one of SQLite's own tables and be an extension's.
    package init(table: String, among tables: Set<String>) {
        switch table {
        case "database2", "database": self = .rows
        case "yap2", "yap": self = .smallValues
        case Store.recordsTable: self = .commitRecords
        default: self = Self.extensionOwner(of: table, among: tables) ?? .unknown
        }
    }

    private static func extensionOwner(of table: String, among tables: Set<String>) -> TableOwner? {
        for kind in Kind.allCases where table.hasPrefix(kind.rawValue + "_") {
            let rest = table.dropFirst(kind.rawValue.count + 1)
            for ending in kind.shadowEndings where rest.hasSuffix(ending) {
                let name = String(rest.dropLast(ending.count))
                if tables.contains("\(kind.rawValue)_\(name)") { return .extension(kind, name: name) }
            }
            guard let ending = kind.endings.first(where: rest.hasSuffix) else { return nil }
            return .extension(kind, name: String(rest.dropLast(ending.count)))
        }
        return nil
    }
}
