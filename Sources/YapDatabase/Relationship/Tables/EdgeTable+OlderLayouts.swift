import SQLiteBridge

/// Brings tables of older layouts to the present one.
extension EdgeTable {
    /// The edges of an older layout that lead to a file by its path (text) or by an app's own bytes.
    func oldFileEdges() throws -> [(id: Int64, path: String?, data: [UInt8]?)] {
        try store.all("SELECT \"rowid\", \"dst\" FROM \(table) WHERE typeof(\"dst\") IN ('text', 'blob')") {
            $0.type(at: 1) == .text
                ? ($0.int64(at: 0), $0.text(at: 1), nil) : ($0.int64(at: 0), nil, $0.bytes(at: 1))
        }
    }

    /// Copies the edges that were added by hand into a table of today's layout. Those of the protocol follow from the rows.
    func recreate(keepingManualEdges: Bool) throws {
        guard keepingManualEdges else {
            try drop()
            return try create()
        }
        let rows = try store.all(
            "SELECT \"name\", \"src\", \"dst\", \"rules\" FROM \(table) WHERE \"manual\" = 1"
        ) { statement -> (Edge, path: String?) in
            let destination: Edge.Destination =
                statement.type(at: 2) == .integer ? .row(statement.int64(at: 2)) : .file(statement.bytes(at: 2))
            let edge = Edge(
                name: statement.text(at: 0) ?? "", source: statement.int64(at: 1), destination: destination,
                rules: statement.int64(at: 3), isManual: true)
            return (edge, statement.type(at: 2) == .text ? statement.text(at: 2) : nil)
        }
        try drop()
        try create()
        for (edge, path) in rows { try insert(edge, path: path) }
    }

    /// Stores a path as text, which the migration of files replaces.
    private func insert(_ edge: Edge, path: String?) throws {
        guard let path else { return try insert(edge) }
        try store.run(sql.insert) {
            try $0.bind(edge.name, at: 1)
            try $0.bind(edge.source, at: 2)
            try $0.bind(path, at: 3)
            try $0.bind(edge.rules, at: 4)
            try $0.bind(Int64(1), at: 5)
        }
    }
}
