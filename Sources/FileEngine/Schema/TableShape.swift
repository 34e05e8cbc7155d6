import ListChanges
import SQLiteBridge

/// The columns of a table in the layout, which distinguish it from another program's table of the same name.
struct TableShape {
    enum Kind {
        case text, blob, integer

        /// Follows SQLite's rules for column types, because releases of the original write them differently.
        func matches(_ type: String) -> Bool {
            let type = type.uppercased()
            return switch self {
            case .integer: type == "INTEGER"
            case .text: !type.contains("INT") && ["CHAR", "TEXT", "CLOB"].contains(where: type.contains)
            case .blob: !type.contains("INT") && (type.isEmpty || type.contains("BLOB"))
            }
        }
    }

    let name: String
    let columns: [(name: String, kind: Kind)]
    /// Names of the columns of the primary key.
    let key: [String]

    static let rows = TableShape(
        name: "database2",
        columns: [("rowid", .integer), ("collection", .text), ("key", .text), ("data", .blob), ("metadata", .blob)],
        key: ["rowid"])
    static let smallValues = TableShape(
        name: "yap2", columns: [("extension", .text), ("key", .text), ("data", .blob)], key: ["extension", "key"])
    /// Rows until version 2.
    static let oldRows = TableShape(
        name: "database", columns: [("collection", .text), ("key", .text), ("data", .blob), ("metadata", .blob)],
        key: ["collection", "key"])
    /// Rows until version 2, of the original's class for databases without collections.
    static let oldKeyedRows = TableShape(
        name: "database", columns: [("key", .text), ("data", .blob), ("metadata", .blob)], key: ["key"])
    /// Small values in version 1.
    static let oldSmallValues = TableShape(name: "yap", columns: [("key", .text), ("data", .blob)], key: ["key"])

    /// Whether the table's SQL is exactly that of the original or this library. True for nearly all files.
    static func isMadeByLayout(_ item: SchemaItem) -> Bool {
        let body: String
        switch item.name {
        case rows.name:
            body =
                #"("rowid"INTEGERPRIMARYKEY,"collection"CHARNOTNULL,"key"CHARNOTNULL,"data"BLOB,"metadata"BLOB)"#
        case smallValues.name:
            body = #"("extension"CHARNOTNULL,"key"CHARNOTNULL,"data"BLOB,PRIMARYKEY("extension","key"))"#
        case let name where name.startsWithBytes(of: "view_") && name.endsWithBytes(of: "_page"):
            body =
                #"("pageKey"CHARNOTNULLPRIMARYKEY,"group"CHARNOTNULL,"prevPageKey"CHAR,"count"INTEGER,"data"BLOB)"#
        case let name where name.startsWithBytes(of: "view_") && name.endsWithBytes(of: "_map"):
            body = #"("rowid"INTEGERPRIMARYKEY,"pageKey"CHARNOTNULL)"#
        case let name where TableOwner.isEdges(name):
            body = "(\(EdgeDefinition.columns))".filter { $0 != " " }
        case let name where CloudCoreTable(table: name) != nil:
            guard let table = CloudCoreTable(table: name) else { return false }
            body = "(\(table.definition))".filter { $0 != " " }
        default: return false
        }
        return item.type == "table" && item.packed == "CREATETABLE" + Store.quoted(item.name) + body
    }

    /// Whether the table of the file has exactly these columns and this primary key.
    func matches(_ item: SchemaItem, _ store: Store) throws -> Bool {
        guard item.type == "table", item.name == name else { return false }
        if Self.isMadeByLayout(item) { return true }
        let found = try store.all(
            "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)", bind: { try $0.bind(item.name, at: 1) }
        ) { (name: $0.text(at: 0) ?? "", type: $0.text(at: 1) ?? "", key: $0.int64(at: 2), hidden: $0.int64(at: 3)) }
        guard found.count == columns.count else { return false }
        return zip(found, columns).allSatisfy { column, expected in
            let place = key.firstIndex(of: expected.name).map { Int64($0) + 1 } ?? 0
            return column.name.lowercased() == expected.name && expected.kind.matches(column.type)
                && column.key == place && column.hidden == 0
        }
    }
}
