import FileEngine
import SQLiteBridge

/// What a row is in: views with its group and place, indexes with its columns, full-text indexes and R-trees, and its edges by key. Of a derived
/// row also what it follows from.
package struct RowMembership: Sendable {
    package struct IndexRow: Hashable, Sendable {
        package var index: String
        package var columns: [(name: String, value: SQLValue)]

        package static func == (one: Self, other: Self) -> Bool {
            one.index == other.index && one.columns.elementsEqual(other.columns) { $0 == $1 }
        }
        package func hash(into hasher: inout Hasher) { hasher.combine(index) }
    }

    /// An edge from the row or to it.
    package struct Edge: Hashable, Sendable {
        package var relationship: String
        package var name: String
        /// Whether it leads from the row to another.
        package var isOut: Bool
        /// What it leads to, as stored: a rowid, or the bytes of a file's URL.
        package var target: SQLValue
        /// The row at its other end; nil if that is none of the file.
        package var other: BrowsedRow.Address?
        package var otherRowid: Int64?
        package var rules: EdgeRules
        /// Whether it was added by hand, and not by an object.
        package var isManual: Bool
    }

    package private(set) var places: [ViewPlace] = []
    package private(set) var indexes: [IndexRow] = []
    package private(set) var fullText: [String] = []
    package private(set) var rTrees: [String] = []
    package private(set) var edges: [Edge] = []
    package private(set) var origins: [RowOrigin] = []
    /// Whether there are more edges than are listed.
    package private(set) var hasMoreEdges = false
    /// Why a part is missing, in sentences.
    package private(set) var problems: [String] = []

    /// The most edges that are listed.
    private static let maxEdges = 1_000

    /// Reads a few rows of each table.
    /// - Parameter pages: the pages of views that have been read, which make places in groups known.
    /// - Throws: ``YapDatabaseError`` with code `.reloadNeeded` if the state is gone. What cannot be read is among the problems.
    package init(
        _ rowid: Int64, _ snapshot: FileSnapshot, _ catalog: Catalog, pages: [String: ViewPageList] = [:]
    ) throws {
        if RowTable.isDerived(rowid) {
            try attempt("rows from which it follows") { membership in
                guard let address = try snapshot.read({ try snapshot.keyRow(rowid, $0) }).address else { return }
                membership.origins = try snapshot.origins(of: address, in: catalog)
            }
        }
        try attempt("views") { try $0.places = snapshot.places(of: rowid, in: catalog, pages: pages) }
        try attempt("indexes") { try $0.indexes = Self.indexRows(rowid, snapshot, catalog) }
        try attempt("full-text indexes") { membership in
            let tables = catalog.fullText.map { ($0.name, $0.table) }
            membership.fullText = try Self.names(of: tables, rowid, "rowid", snapshot)
        }
        try attempt("R-trees") { membership in
            let tables = catalog.rTrees.map { ($0.name, $0.table) }
            membership.rTrees = try Self.names(of: tables, rowid, "rowid", snapshot)
        }
        try attempt("relationships") { membership in
            let found = try catalog.relationships.flatMap { try Self.edges(rowid, $0, snapshot) }
            membership.edges = Array(found.prefix(Self.maxEdges))
            membership.hasMoreEdges = found.count > Self.maxEdges
        }
    }

    private mutating func attempt(_ part: String, _ body: (inout RowMembership) throws -> Void) throws {
        do {
            try body(&self)
        } catch let error as YapDatabaseError where error.code != .reloadNeeded {
            problems.append("The \(part) cannot be read: \(error.sentence)")
        }
    }

    private static func indexRows(_ rowid: Int64, _ snapshot: FileSnapshot, _ catalog: Catalog) throws -> [IndexRow] {
        try catalog.indexes.compactMap { index in
            let columns = index.columns.map(\.quotedSQL).joined(separator: ", ")
            let values = try snapshot.read { store in
                try store.first(
                    "SELECT \(columns.isEmpty ? "1" : columns) FROM \(index.table.quotedSQL) WHERE rowid = ?",
                    bind: { try $0.bind(rowid, at: 1) }
                ) { row in index.columns.indices.map { row.value(at: $0) } }
            }
            return values.map { values in
                IndexRow(index: index.name, columns: zip(index.columns, values).map { (name: $0, value: $1) })
            }
        }
    }

    private static func names(
        of tables: [(name: String, table: String)], _ rowid: Int64, _ column: String, _ snapshot: FileSnapshot
    ) throws -> [String] {
        try tables.filter { entry in
            try snapshot.read { store in
                try store.first(
                    "SELECT 1 FROM \(entry.table.quotedSQL) WHERE \(column) = ?", bind: { try $0.bind(rowid, at: 1) }
                ) { _ in true }
            } ?? false
        }.map(\.name)
    }

    /// Two searches, each in an index of the edges.
    private static func edges(
        _ rowid: Int64, _ relationship: Catalog.Relationship, _ snapshot: FileSnapshot
    ) throws -> [Edge] {
        try snapshot.read { store in
            let found = try ["src", "dst"].flatMap { end in
                // An edge from a row to itself is found once.
                let condition =
                    end == "src" ? #""src" = ?1"# : #""dst" = ?1 AND typeof("dst") = 'integer' AND "src" <> ?1"#
                return try store.all(
                    """
                    SELECT "name", "src", "dst", "rules", "manual" FROM \(relationship.table.quotedSQL) \
                    WHERE \(condition) LIMIT \(Self.maxEdges + 1)
                    """, bind: { try $0.bind(rowid, at: 1) }
                ) { row in
                    (row.text(at: 0) ?? "", row.int64(at: 1), row.value(at: 2), row.int64(at: 3), row.int64(at: 4) != 0)
                }
            }
            return try found.map { name, source, target, rules, isManual in
                let isOut = source == rowid
                var other: Int64? = source
                if isOut { if case .integer(let number) = target { other = number } else { other = nil } }
                let address = try other.flatMap { try snapshot.keyRow($0, store).address }
                return Edge(
                    relationship: relationship.name, name: name, isOut: isOut, target: target, other: address,
                    otherRowid: address == nil ? nil : other, rules: EdgeRules(rules), isManual: isManual)
            }
        }
    }
}
