import FileEngine
import SQLiteBridge

/// The table of a relationship, `relationship_<name>`, exactly as the original lays it out.
///
/// `src` is the rowid of the source. `dst` is an INTEGER, the rowid of the destination, or a BLOB, the serialized URL of a
/// file. `manual` is 1 for edges that were added by hand. The names of indexes are unique in a file, so a second relationship
/// has its own: with `IF NOT EXISTS` and the original's names it would silently have none.
final class EdgeTable {
    let store: Store
    private let extensionName: String
    private let name: String
    let table: String
    lazy var sql = EdgeSQL(table)

    init(_ store: Store, extension name: String) {
        self.store = store
        extensionName = name
        self.name = "relationship_\(name)"
        table = Store.quoted(self.name)
    }

    var exists: Bool { get throws { try store.hasTable(name) } }

    func create() throws {
        try store.execute(EdgeDefinition.table(name))
        try createIndexes()
    }

    private func createIndexes() throws {
        for column in EdgeDefinition.indexed {
            let short = "\(column)_name"
            let index = try store.tableOfIndex(short).map { $0 == name ? short : "\(name)_\(short)" } ?? short
            try store.execute(EdgeDefinition.index(index, on: column, of: name))
        }
    }

    func drop() throws { try store.execute("DROP TABLE IF EXISTS \(table)") }

    /// The names of the table's columns.
    var columns: Set<String> { get throws { try Set(store.columns(ofTable: name)) } }
}

// MARK: Reading

extension EdgeTable {
    /// - Throws: ``YapDatabaseError`` with code `corrupt` if an edge leads to neither a row nor a file.
    func edges(_ filter: EdgeFilter) throws -> [Edge] {
        try all(filter) { statement in
            if let edge = Self.edge(statement) { return edge }
            throw YapDatabaseError(
                .corrupt,
                "Edge \(statement.int64(at: 0)) of a relationship leads to neither a row nor a file. Run `yap check`.")
        }
    }

    /// The edges without those that lead to neither a row nor a file: a damaged one must not keep any row from being written.
    func readableEdges(_ filter: EdgeFilter) throws -> [Edge] { try all(filter, read: Self.edge).compactMap(\.self) }

    private func all<Value>(_ filter: EdgeFilter, read: (SQLiteStatement) throws -> Value) throws -> [Value] {
        try store.all(
            "\(EdgeSQL.columns) FROM \(table)\(filter.condition)", bind: { try filter.bind(to: $0) }, read: read)
    }

    /// The edges that the object of a row named when it was stored. One that leads to neither a row nor a file is removed.
    func edgesToReplace(of row: Int64) throws -> [Edge] {
        var damaged: [Int64] = []
        let edges = try all(EdgeFilter(source: row)) { statement in
            if let edge = Self.edge(statement) { return edge.isManual ? nil : edge }
            if !Self.isManual(statement) { damaged.append(statement.int64(at: 0)) }
            return nil as Edge?
        }
        for edge in damaged { try remove(edge) }
        return edges.compactMap(\.self)
    }

    /// The bytes of the files to which edges lead, those that pass the test, once for each edge. Reads the index of `dst` alone.
    func files(where isWanted: (UnsafeRawBufferPointer) -> Bool) throws -> [[UInt8]] {
        let found = try store.all(
            "SELECT \"dst\" FROM \(table)\(EdgeFilter(isFile: true).condition)",
            read: { statement in
                statement.withBytes(at: 0) { isWanted($0) ? Array($0) : nil }
            })
        return found.compactMap { $0 }
    }

    func count(_ filter: EdgeFilter) throws -> Int {
        try store.first(
            "SELECT count(*) FROM \(table)\(filter.condition)", bind: { try filter.bind(to: $0) },
            read: { Int($0.int64(at: 0)) }) ?? 0
    }

    /// Whether an edge from another row leads to the row.
    func hasEdge(to row: Int64) throws -> Bool {
        try store.first(
            sql.hasEdgeTo,
            bind: {
                try $0.bind(row, at: 1)
                try $0.bind(row, at: 2)
            }, read: { _ in true }) ?? false
    }

    /// Whether an edge leads from the row to another one, or to a file.
    func hasEdge(from row: Int64) throws -> Bool {
        try store.first(
            sql.hasEdgeFrom,
            bind: {
                try $0.bind(row, at: 1)
                try $0.bind(row, at: 2)
            }, read: { _ in true }) ?? false
    }

    /// Nil if the destination is neither a rowid nor a blob, which only damage makes.
    private static func edge(_ statement: SQLiteStatement) -> Edge? {
        let destination: Edge.Destination
        switch statement.type(at: 3) {
        case .integer: destination = .row(statement.int64(at: 3))
        case .blob: destination = .file(statement.bytes(at: 3))
        default: return nil
        }
        return Edge(
            id: statement.int64(at: 0), name: statement.text(at: 1) ?? "", source: statement.int64(at: 2),
            destination: destination, rules: statement.int64(at: 4), isManual: isManual(statement))
    }

    private static func isManual(_ statement: SQLiteStatement) -> Bool { statement.int64(at: 5) != 0 }
}

// MARK: Writing

extension EdgeTable {
    func insert(_ edge: Edge) throws {
        try store.run(sql.insert) {
            try $0.bind(edge.name, at: 1)
            try $0.bind(edge.source, at: 2)
            try edge.destination.bind(to: $0, at: 3)
            try $0.bind(edge.rules, at: 4)
            try $0.bind(Int64(edge.isManual ? 1 : 0), at: 5)
        }
    }

    func setRules(_ rules: Int64, of id: Int64) throws {
        try store.run(sql.setRules) {
            try $0.bind(rules, at: 1)
            try $0.bind(id, at: 2)
        }
    }

    func setDestination(_ destination: Edge.Destination, of id: Int64) throws {
        try store.run(sql.setDestination) {
            try destination.bind(to: $0, at: 1)
            try $0.bind(id, at: 2)
        }
    }

    func remove(_ id: Int64) throws { try store.run(sql.remove) { try $0.bind(id, at: 1) } }

    func removeAll() throws { try store.execute("DELETE FROM \(table)") }

    func removeProtocolEdges() throws { try store.execute("DELETE FROM \(table) WHERE \"manual\" = 0") }

    /// Removes the edges of rows that do not exist. Reads every edge.
    func removeEdgesWithoutRows() throws {
        try store.execute(
            """
            DELETE FROM \(table) WHERE "src" NOT IN (SELECT "rowid" FROM "database2") OR typeof("dst") = 'integer' AND \
            "dst" NOT IN (SELECT "rowid" FROM "database2")
            """)
    }

    /// Removes every edge of rows that a program removed which runs no rules. Objects may name such a row still.
    func dropEdges(of rows: some Sequence<Int64>) throws {
        var hasLost = false
        for row in rows {
            try store.run(sql.dropLeaving) { try $0.bind(row, at: 1) }
            try store.run(sql.dropArriving) { try $0.bind(row, at: 1) }
            hasLost = hasLost || store.handle.changes > 0
        }
        if hasLost { try setLacksEdges(true) }
    }

    private static let lacksEdgesKey = "lacksEdges"

    /// Whether objects may name edges that are not in the table, because their destinations did not exist when the edges were stored: a value of
    /// `yap2`, which the original ignores. As long as it is so, a new row may be such a destination.
    var lacksEdges: Bool {
        get throws { try store.yapValue(extension: extensionName, key: Self.lacksEdgesKey) != nil }
    }

    func setLacksEdges(_ lacks: Bool) throws {
        guard try lacksEdges != lacks else { return }
        if lacks {
            try store.setYapValue(.integer(1), extension: extensionName, key: Self.lacksEdgesKey)
        } else {
            try store.removeYapValue(extension: extensionName, key: Self.lacksEdgesKey)
        }
    }

    /// The rowids of edges that no row has. Reads every edge.
    func rowidsWithoutRow() throws -> [Int64] {
        try store.all(
            """
            SELECT "src" FROM \(table) WHERE "src" NOT IN (SELECT "rowid" FROM "database2") UNION SELECT "dst" FROM \(table) \
            WHERE typeof("dst") = 'integer' AND "dst" NOT IN (SELECT "rowid" FROM "database2")
            """
        ) { $0.int64(at: 0) }
    }

    /// The rowids of edges that are greater than that of the last row: the next new rows get them. Two searches of indexes.
    func rowidsBehindRows() throws -> [Int64] {
        let last = RowTable.lastRowid
        // A rowid comes before any text, the bytes of a file after it.
        return try store.all(
            """
            SELECT "src" FROM \(table) WHERE "src" > \(last) UNION SELECT "dst" FROM \(table) WHERE "dst" > \(last) AND "dst" < ''
            """
        ) { $0.int64(at: 0) }
    }

    /// Removes every edge of some rows.
    /// - Parameters:
    ///   - rows: the rowids.
    ///   - body: called for each row that had edges, with the edges that led from it and the edges that led to it from other rows.
    func removeEdges(of rows: [Int64], _ body: (_ leaving: [Edge], _ arriving: [Edge]) throws -> Void) throws {
        let (leaving, arriving) = (try store.handle.statement(sql.leaving), try store.handle.statement(sql.arriving))
        defer { for statement in [leaving, arriving] { statement.reset() } }
        for row in rows {
            // Most rows that others take with them have no edges any more. To look for them costs less than to delete none.
            let from = try take(leaving, row, sql.dropLeaving)
            let to = try take(arriving, row, sql.dropArriving)
            if !from.isEmpty || !to.isEmpty { try body(from, to) }
        }
    }

    /// Removes edges of a row and returns them, but for those that lead to neither a row nor a file: no rule says what becomes of these.
    private func take(_ statement: SQLiteStatement, _ row: Int64, _ drop: String) throws -> [Edge] {
        defer { statement.rewind() }
        try statement.bind(row, at: 1)
        var edges: [Edge?] = []
        while try statement.step() { edges.append(Self.edge(statement)) }
        if !edges.isEmpty { try store.run(drop) { try $0.bind(row, at: 1) } }
        return edges.compactMap(\.self)
    }

    /// Makes all edges of a row those of another rowid.
    func renameNode(_ row: Int64, to other: Int64) throws {
        for text in [sql.renameSource, sql.renameDestination] {
            try store.run(text) {
                try $0.bind(other, at: 1)
                try $0.bind(row, at: 2)
            }
        }
    }
}

extension Store {
    /// The table that an index stands on; nil if there is no index of that name.
    func tableOfIndex(_ index: String) throws -> String? {
        try first(
            "SELECT tbl_name FROM sqlite_master WHERE type = 'index' AND lower(name) = lower(?)",
            bind: { try $0.bind(index, at: 1) }, read: { $0.text(at: 0) ?? "" })
    }
}
