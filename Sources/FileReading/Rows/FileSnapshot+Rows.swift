import SQLiteBridge
import FileEngine

extension FileSnapshot {
    /// The most bytes of a value that are read unless a caller asks for more. Of a longer value only the beginning is
    /// present.
    package static let valueBytes = 4 << 20

    /// Reads values completely, however large.
    package static let wholeValues = Int.max

    /// The table of the rows.
    /// - Throws: ``YapDatabaseError`` where the file has none that can be read.
    func rowTable() throws -> FileSchema.Table {
        guard let table = schema.rows else {
            throw YapDatabaseError(.notAYapDatabase, schema.notes.first ?? "The file has no rows.")
        }
        return table
    }

    /// The table of a row: derived rows, which views over them name, have one of their own.
    private func rowTable(of rowid: Int64) throws -> FileSchema.Table {
        try rowTable(isDerived: RowTable.isDerived(rowid))
    }

    private func rowTable(isDerived: Bool) throws -> FileSchema.Table {
        guard isDerived, let table = schema.tables[TableOwner.derivedRowsTable],
            table.has("collection", "key"), table.hasRowid
        else { return try rowTable() }
        return table
    }

    /// A row of the row table. It costs about three microseconds and the reading of its values.
    ///
    /// A row that is missing or cannot be read is returned with an `error`, so that a list can show the others.
    package func row(_ rowid: Int64, valueBytes: Int = valueBytes) throws -> BrowsedRow {
        try read { try row(rowid, valueBytes: valueBytes, $0) }
    }

    /// Returns the rowid of a key; nil if there is none. One search in the index.
    package func rowid(_ collection: StoredText, _ key: StoredText) throws -> Int64? {
        let table = try rowTable(isDerived: RowTable.isDerived(collection.text))
        return try read { store in
            try store.first(
                #"SELECT rowid FROM \#(table.name.quotedSQL) WHERE "collection" = ? AND "key" = ?"#,
                bind: {
                    try collection.bind(to: $0, at: 1)
                    try key.bind(to: $0, at: 2)
                }, read: { $0.int64(at: 0) })
        }
    }

    /// Like `row(_:valueBytes:)`, for callers that are inside a read already.
    package func row(_ rowid: Int64, valueBytes: Int, _ store: Store) throws -> BrowsedRow {
        let table = try rowTable(of: rowid)
        return try reading(rowid) { row in
            guard valueBytes == Self.wholeValues else {
                return try fill(&row, table, valueBytes, isWhole: false, store)
            }
            try withWholeValues(store) { try fill(&row, table, valueBytes, isWhole: true, store) }
        }
    }

    /// The row that a statement has joined to an entry of an index, see ``FileSchema/Table/joinedColumns``; nil if the
    /// table does not have it.
    func rowOfJoin(_ rowid: Int64, _ statement: SQLiteStatement, from column: Int) -> BrowsedRow? {
        if statement.isNull(at: column + 1) { return nil }
        let metadata = StoredValue(statement, at: column + 3)
        return BrowsedRow(
            rowid: rowid,
            address: .init(
                collection: StoredText(statement, at: column), key: StoredText(statement, at: column + 1)),
            object: StoredValue(statement, at: column + 2), metadata: metadata.content == .null ? nil : metadata)
    }

    /// Runs statements that return values completely, however large.
    func withWholeValues<Value>(_ store: Store, _ body: () throws -> Value) throws -> Value {
        let before = store.handle.valueLimit
        store.handle.limitValues(toBytes: largestValue)
        defer { store.handle.limitValues(toBytes: before) }
        return try body()
    }

    /// Like `row(_:valueBytes:_:)`, with the key alone: reads nothing of a value.
    func keyRow(_ rowid: Int64, _ store: Store) throws -> BrowsedRow {
        let sql = #"SELECT "collection", "key" FROM \#(try rowTable(of: rowid).name.quotedSQL) WHERE rowid = ?"#
        return try reading(rowid) { row in
            row.address = try store.first(sql, bind: { try $0.bind(rowid, at: 1) }) {
                .init(collection: StoredText($0, at: 0), key: StoredText($0, at: 1))
            }
            if row.address == nil { row.error = Self.missing(rowid) }
        }
    }

    /// Records read errors in the row, unless the whole state is gone.
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

    private func fill(
        _ row: inout BrowsedRow, _ table: FileSchema.Table, _ limit: Int, isWhole: Bool, _ store: Store
    ) throws {
        let rowid = row.rowid
        do {
            let sql = isWhole ? table.selectWhole : Self.select(table, limit)
            let found = try store.first(sql, bind: { try $0.bind(rowid, at: 1) }) { statement in
                BrowsedRow(
                    rowid: rowid,
                    address: .init(collection: StoredText(statement, at: 0), key: StoredText(statement, at: 1)),
                    object: StoredValue(statement, at: 2), metadata: StoredValue(statement, at: 3),
                    // A large value was not read with the others.
                    error: !isWhole && statement.int64(at: 4) + statement.int64(at: 5) > 0 ? "" : nil)
            }
            guard let found else { return row.error = Self.missing(rowid) }
            row = found
        } catch let error as YapDatabaseError where error.code != .reloadNeeded {
            try fillParts(&row, table, limit, store, error)
        }
        if row.error == "" {
            row.error = nil
            for (name, value) in [("data", \BrowsedRow.object), ("metadata", \BrowsedRow.metadata)]
            where row[keyPath: value]?.content == .null && table.has(name) {
                row[keyPath: value] = try large(table.name, name, rowid, limit, store)
            }
        }
        if row.metadata?.content == .null { row.metadata = nil }
    }

    /// Reads the readable parts of a row that cannot be read as a whole: its key, each complete value, and the
    /// beginning of an incomplete one.
    private func fillParts(
        _ row: inout BrowsedRow, _ table: FileSchema.Table, _ limit: Int, _ store: Store, _ error: YapDatabaseError
    ) throws {
        let rowid = row.rowid
        let address = try? store.first(
            #"SELECT "collection", "key" FROM \#(table.name.quotedSQL) WHERE rowid = ?"#,
            bind: { try $0.bind(rowid, at: 1) },
            read: { BrowsedRow.Address(collection: StoredText($0, at: 0), key: StoredText($0, at: 1)) })
        guard let address else { throw error }
        row.address = address
        var isMissing = false
        for (name, value) in [("data", \BrowsedRow.object), ("metadata", \BrowsedRow.metadata)] where table.has(name) {
            let whole = try? store.first(
                "SELECT \(name.quotedSQL) FROM \(table.name.quotedSQL) WHERE rowid = ?",
                bind: { try $0.bind(rowid, at: 1) }, read: { StoredValue($0, at: 0) })
            let part = whole ?? (try? large(table.name, name, rowid, limit, store))
            row[keyPath: value] = part
            if part == nil || part?.isWhole == false && limit == Self.wholeValues { isMissing = true }
        }
        if isMissing { row.error = "\(error)" }
    }

    /// The largest value that a file of this size, and SQLite itself, can hold.
    private var largestValue: Int { min(1_000_000_000, max(bytes, Self.valueLimit)) }

    /// Selects a row. Values longer than the limit are NULL; a flag after the values marks each of them.
    private static func select(_ table: FileSchema.Table, _ limit: Int) -> String {
        let values = ["data", "metadata"].map { name in
            guard table.has(name) else { return ("NULL", "0") }
            let isLarge = "typeof(\"\(name)\") IN ('blob', 'text') AND length(\"\(name)\") > \(limit)"
            return ("CASE WHEN \(isLarge) THEN NULL ELSE \"\(name)\" END", isLarge)
        }
        return """
            SELECT "collection", "key", \(values[0].0), \(values[1].0), \(values[0].1), \(values[1].1) \
            FROM \(table.name.quotedSQL) WHERE rowid = ?
            """
    }

    /// Returns the beginning of a value; nil for NULL.
    func large(
        _ table: String, _ column: String, _ rowid: Int64, _ limit: Int, key: String = "rowid", _ store: Store
    ) throws -> StoredValue? {
        let type = try store.first(
            "SELECT typeof(\(column.quotedSQL)) FROM \(table.quotedSQL) WHERE \(key) = ?",
            bind: { try $0.bind(rowid, at: 1) }, read: { $0.text(at: 0) })
        guard type == "blob" || type == "text" else { return nil }
        let size = try store.handle.size(table: table, column: column, rowid: rowid)
        let bytes = try beginning(of: column, in: table, rowid, count: min(limit, size), store)
        return StoredValue(type == "blob" ? .blob(bytes) : .text(bytes), size: size)
    }

    /// Returns as many bytes as can be read, in portions: if a page of a long value is damaged, those before it.
    private func beginning(of column: String, in table: String, _ rowid: Int64, count: Int, _ store: Store) throws
        -> [UInt8]
    {
        func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
            try store.handle.bytes(table: table, column: column, rowid: rowid, offset: offset, count: count)
        }
        if let whole = try? read(0, min(count, largestValue)) { return whole }
        var bytes: [UInt8] = []
        var portion = Self.largestPortion
        while bytes.count < min(count, largestValue) {
            if let more = try? read(bytes.count, min(portion, count - bytes.count)), !more.isEmpty {
                bytes += more
            } else if portion > 1 {
                portion /= 16
            } else {
                break
            }
        }
        return bytes
    }

    private static let largestPortion = 1 << 20
}
