import SQLiteBridge
import YapDatabase

extension FileSnapshot {
    /// Bytes of a value that are read at most, unless somebody asks for more. Beyond, only its beginning is there.
    package static let valueBytes = 4 << 20

    /// A row of the row table. It costs about three microseconds and the reading of its values.
    ///
    /// A row that is not there or cannot be read comes as one with an `error`, so that a list can show the others.
    package func row(_ rowid: Int64, valueBytes: Int = valueBytes) throws -> BrowsedRow {
        try read { try row(rowid, valueBytes: valueBytes, $0) }
    }

    /// The rowid under a key; nil where there is none. One search in the index.
    package func rowid(_ collection: StoredText, _ key: StoredText) throws -> Int64? {
        let table = try rowTable()
        return try read { store in
            try store.first(
                #"SELECT rowid FROM \#(table.name.quotedSQL) WHERE "collection" = ? AND "key" = ?"#,
                bind: {
                    try collection.bind(to: $0, at: 1)
                    try key.bind(to: $0, at: 2)
                }, read: { $0.int64(at: 0) })
        }
    }

    /// Like `row(_:valueBytes:)`, by whoever reads already.
    package func row(_ rowid: Int64, valueBytes: Int, _ store: Store) throws -> BrowsedRow {
        let table = try rowTable()
        return try reading(rowid) { try fill(&$0, table, valueBytes, store) }
    }

    /// Like `row(_:valueBytes:_:)`, with its key alone: nothing of a value is read.
    func keyRow(_ rowid: Int64, _ store: Store) throws -> BrowsedRow {
        let sql = #"SELECT "collection", "key" FROM \#(try rowTable().name.quotedSQL) WHERE rowid = ?"#
        return try reading(rowid) { row in
            row.address = try store.first(sql, bind: { try $0.bind(rowid, at: 1) }) {
                .init(collection: StoredText($0, at: 0), key: StoredText($0, at: 1))
            }
            if row.address == nil { row.error = Self.missing(rowid) }
        }
    }

    /// What cannot be read of a row is said in it, unless the whole state is gone.
    private func reading(_ rowid: Int64, _ fill: (inout BrowsedRow) throws -> Void) throws -> BrowsedRow {
        var row = BrowsedRow(rowid: rowid)
        do {
            try fill(&row)
        } catch let error as YapDatabaseError where error.code != .reloadNeeded {
            row.error = row.error ?? "\(error)"
        }
        return row
    }

    private static func missing(_ rowid: Int64) -> String { "There is no row \(rowid) in the file." }

    private func fill(_ row: inout BrowsedRow, _ table: FileSchema.Table, _ limit: Int, _ store: Store) throws {
        let rowid = row.rowid
        let found = try store.first(Self.select(table, limit), bind: { try $0.bind(rowid, at: 1) }) { statement in
            BrowsedRow(
                rowid: rowid,
                address: .init(collection: StoredText(statement, at: 0), key: StoredText(statement, at: 1)),
                object: StoredValue(statement, at: 2), metadata: StoredValue(statement, at: 4),
                // A large value was not read with the others.
                error: statement.int64(at: 3) + statement.int64(at: 5) > 0 ? "" : nil)
        }
        guard var found else { return row.error = Self.missing(rowid) }
        if found.error != nil {
            found.error = nil
            for (name, value) in [("data", \BrowsedRow.object), ("metadata", \BrowsedRow.metadata)]
            where found[keyPath: value]?.content == .null && table.has(name) {
                found[keyPath: value] = try large(table.name, name, rowid, limit, store)
            }
        }
        if found.metadata?.content == .null { found.metadata = nil }
        row = found
    }

    /// Values longer than the limit are left out, with a mark behind them.
    private static func select(_ table: FileSchema.Table, _ limit: Int) -> String {
        let values = ["data", "metadata"].map { name in
            guard table.has(name) else { return "NULL, 0" }
            let isLarge = "typeof(\"\(name)\") IN ('blob', 'text') AND length(\"\(name)\") > \(limit)"
            return "CASE WHEN \(isLarge) THEN NULL ELSE \"\(name)\" END, \(isLarge)"
        }
        return """
            SELECT "collection", "key", \(values.joined(separator: ", ")) FROM \(table.name.quotedSQL) WHERE rowid = ?
            """
    }

    /// The beginning of a value; nil for NULL.
    private func large(_ table: String, _ column: String, _ rowid: Int64, _ limit: Int, _ store: Store) throws
        -> StoredValue?
    {
        let type = try store.first(
            "SELECT typeof(\(column.quotedSQL)) FROM \(table.quotedSQL) WHERE rowid = ?",
            bind: { try $0.bind(rowid, at: 1) }, read: { $0.text(at: 0) })
        guard type == "blob" || type == "text" else { return nil }
        let bytes = try store.handle.bytes(table: table, column: column, rowid: rowid, offset: 0, count: limit)
        let size = try store.handle.size(table: table, column: column, rowid: rowid)
        return StoredValue(type == "blob" ? .blob(bytes) : .text(bytes), size: size)
    }
}
