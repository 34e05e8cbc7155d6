import FileEngine
import SQLiteBridge

/// What a row is in: views with its group and place, indexes with its columns, full-text indexes and R-trees, and its edges by key.
///
/// Written as the member `in` of a row's JSON:
///
/// | member | each |
/// |---|---|
/// | `views` | `{"view":…,"group":…,"index":…}` |
/// | `indexes` | `{"index":…,"columns":{…}}` |
/// | `fullText`, `rTrees` | the name |
/// | `edges` | `{"relationship":…,"name":…,"direction":"out"` or `"in"`, then the other row's collection and key, or `to` if it is no row`}` |
package struct RowMembership {
    private let rowid: Int64
    private let snapshot: FileSnapshot
    private let catalog: Catalog
    /// The most edges that are listed.
    private static let maxEdges = 1_000

    package init(_ rowid: Int64, _ snapshot: FileSnapshot) throws {
        (self.rowid, self.snapshot) = (rowid, snapshot)
        catalog = try snapshot.catalog()
    }

    /// Reads a few rows of each table, and the pages of the views that the row is in.
    /// - Throws: ``YapDatabaseError`` if a table cannot be read.
    package func json() throws -> [UInt8] {
        var json = JSONObject()
        json.add("views", try places()) { place, json in
            json.add("view", place.view)
            json.add("group", place.group)
            if let index = place.placeInGroup { json.add("index", index) }
        }
        json.add("indexes", try indexRows()) { entry, json in
            json.add("index", entry.name)
            json.add("columns") { bytes in
                var columns = JSONObject()
                for (name, value) in entry.columns { columns.add(name) { value.decoded.appendJSON(to: &$0) } }
                bytes += columns.closed()
            }
        }
        json.add("fullText", try names(of: catalog.fullText.map { ($0.name, $0.table) }))
        json.add("rTrees", try names(of: catalog.rTrees.map { ($0.name, $0.table) }, column: "id"))
        json.add("edges", try edges()) { edge, json in
            json.add("relationship", edge.relationship)
            json.add("name", edge.name)
            json.add("direction", edge.isOut ? "out" : "in")
            if let other = edge.other {
                json.add("collection", other.collection)
                json.add("key", other.key)
            } else {
                json.add("to") { edge.target.decoded.appendJSON(to: &$0) }
            }
            if let rules = edge.rules { json.add("rules", rules) }
        }
        return json.closed()
    }

    private func places() throws -> [ViewPlace] {
        let found = try snapshot.places(of: rowid, in: catalog)
        let pages = try Dictionary(uniqueKeysWithValues: found.map { ($0.view, try snapshot.pages(ofView: $0.view)) })
        return try snapshot.places(of: rowid, in: catalog, pages: pages)
    }

    private func indexRows() throws -> [(name: String, columns: [(String, SQLValue)])] {
        try catalog.indexes.compactMap { index in
            let columns = index.columns.map(\.quotedSQL).joined(separator: ", ")
            let values = try snapshot.read { store in
                try store.first(
                    "SELECT \(columns) FROM \(index.table.quotedSQL) WHERE rowid = ?",
                    bind: { try $0.bind(rowid, at: 1) }
                ) { row in index.columns.indices.map { row.value(at: $0) } }
            }
            return values.map { (index.name, Array(zip(index.columns, $0))) }
        }
    }

    private func names(of tables: [(name: String, table: String)], column: String = "rowid") throws -> [String] {
        try tables.filter { entry in
            try snapshot.read { store in
                try store.first(
                    "SELECT 1 FROM \(entry.table.quotedSQL) WHERE \(column) = ?", bind: { try $0.bind(rowid, at: 1) }
                ) { _ in true }
            } ?? false
        }.map(\.name)
    }

    private struct Edge {
        let relationship: String
        let name: String
        let isOut: Bool
        let target: SQLValue
        let other: BrowsedRow.Address?
        let rules: Int?
    }

    private func edges() throws -> [Edge] {
        try catalog.relationships.flatMap { relationship in
            try snapshot.read { store in
                let found = try store.all(
                    """
                    SELECT "name", "src", "dst", "rules" FROM \(relationship.table.quotedSQL) \
                    WHERE "src" = ?1 OR "dst" = ?1 LIMIT \(Self.maxEdges)
                    """, bind: { try $0.bind(rowid, at: 1) }
                ) { row in (row.text(at: 0) ?? "", row.int64(at: 1), row.value(at: 2), Int(row.int64(at: 3))) }
                return try found.map { name, source, target, rules in
                    let isOut = source == rowid
                    var other: Int64? = source
                    if isOut { if case .integer(let number) = target { other = number } else { other = nil } }
                    return Edge(
                        relationship: relationship.name, name: name, isOut: isOut, target: target,
                        other: try other.flatMap { try snapshot.keyRow($0, store).address }, rules: rules)
                }
            }
        }
    }
}
