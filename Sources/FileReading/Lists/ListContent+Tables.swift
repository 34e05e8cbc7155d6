import SQLiteBridge
import FileEngine

extension FileSnapshot {
    /// Returns the rows of any table of the file.
    /// - Throws: ``YapDatabaseError`` if it cannot be read here.
    func order(ofTable name: String, firstRows: Int = 200) throws -> any RowSource {
        guard let table = schema.tables[name] else {
            throw Catalog.missing(name, "table", there: schema.tables.names.sorted())
        }
        guard !table.columns.isEmpty else {
            throw YapDatabaseError(
                .badExtension,
                "The table \"\(name)\" cannot be read: SQLite lacks its module here, or its definition is damaged.")
        }
        if table.isVirtual {
            let order = StatementOrder("SELECT rowid FROM \(name.quotedSQL)")
            try read { try order.begin($0, limit: firstRows) }
            return order
        }
        guard table.hasRowid else {
            let order = try read { try OrdinalOrder(table, maxEntries: maxEntries, $0) }
            guard order.hasKey else {
                throw YapDatabaseError(
                    .badExtension,
                    "The rows of \"\(name)\" cannot be told apart: it has no primary key, and columns with all names of a rowid."
                )
            }
            _ = try read { try order.loadMore($0) }
            return order
        }
        let order = TableOrder(table)
        try read { try order.begin($0, limit: firstRows) }
        return order
    }
}

extension ListContent {
    /// The columns of the list's own table; nil for a list that has none to show.
    package var ownColumns: OwnColumns? {
        switch subject {
        case .table(let name): snapshot.schema.tables[name].map { .alone($0.columns) }
        case .relationship(let name): .ofEdges(Self.withNames(columnNames("relationship_\(name)")))
        case .index(let name, _): .besideRow(columnNames("secondaryIndex_\(name)"))
        case .rTree(let name): .besideRow(columnNames("rTreeIndex_\(name)"))
        case .collection, .view, .fullText, .smallValues: nil
        }
    }

    /// Returns a row of a table that is not one of the library's, with values up to a size.
    func tableRow(_ name: String, _ rowid: Int64, valueBytes: Int, _ store: Store) throws -> BrowsedRow {
        guard let table = snapshot.schema.tables[name] else {
            return BrowsedRow(rowid: rowid, error: "There is no table \"\(name)\" in the file.")
        }
        var row = BrowsedRow(rowid: rowid, hasPlainTexts: true)
        do {
            guard let columns = try whole(table, rowid, valueBytes, store) else {
                row.error = "There is no row \(rowid) in the table \"\(name)\"."
                return row
            }
            row.columns = columns
        } catch let error as YapDatabaseError where error.code != .reloadNeeded {
            row.columns = parts(table, rowid, valueBytes, store)
            // To ask a very large text for its length fails, too. Its beginning is there.
            let isAllThere = error.isTooBig && row.columns.count == table.columns.count
            row.error = isAllThere ? nil : "\(error)"
        }
        return row
    }

    /// Reads a row by one statement; larger values are read apart.
    private func whole(
        _ table: FileSchema.Table, _ rowid: Int64, _ limit: Int, _ store: Store
    ) throws -> [BrowsedRow.Column]? {
        guard limit != FileSnapshot.wholeValues else {
            return try snapshot.withWholeValues(store) {
                try read(table, table.columns.map(\.quotedSQL), rowid, store) { statement in
                    table.columns.enumerated().map { .init(name: $1, value: StoredValue(statement, at: $0)) }
                }
            }
        }
        var columns: [BrowsedRow.Column] = []
        for start in stride(from: 0, to: table.columns.count, by: Self.columnsAtOnce) {
            let names = table.columns[start..<min(start + Self.columnsAtOnce, table.columns.count)]
            guard let some = try read(names, table, rowid, limit, store) else { return nil }
            columns += some
        }
        return columns
    }

    /// Half of the columns that a statement of SQLite can have.
    private static let columnsAtOnce = 1_000

    /// Reads some columns of a row by one statement.
    private func read(
        _ names: ArraySlice<String>, _ table: FileSchema.Table, _ rowid: Int64, _ limit: Int, _ store: Store
    ) throws -> [BrowsedRow.Column]? {
        let isLarge = names.map {
            "typeof(\($0.quotedSQL)) IN ('blob', 'text') AND length(\($0.quotedSQL)) > \(limit)"
        }
        let values = zip(names, isLarge).map { "CASE WHEN \($1) THEN NULL ELSE \($0.quotedSQL) END" }
        var large: [Int] = []
        let count = names.count
        var columns = try read(table, values + isLarge, rowid, store) { statement in
            large = (0..<count).filter { statement.int64(at: count + $0) != 0 }
            return names.enumerated().map { place, name in
                BrowsedRow.Column(name: name, value: StoredValue(statement, at: place))
            }
        }
        for place in large {
            columns?[place].value =
                try beginning(table, names[names.startIndex + place], rowid, limit, store) ?? StoredValue(.null)
        }
        return columns
    }

    /// Reads each column that can be read.
    private func parts(
        _ table: FileSchema.Table, _ rowid: Int64, _ limit: Int, _ store: Store
    ) -> [BrowsedRow.Column] {
        table.columns.compactMap { name in
            let value = try? read(table, [name.quotedSQL], rowid, store) { StoredValue($0, at: 0) }
            let found = (value ?? nil) ?? (try? beginning(table, name, rowid, limit, store)) ?? nil
            return found.map { .init(name: name, value: $0) }
        }
    }

    private func beginning(
        _ table: FileSchema.Table, _ column: String, _ rowid: Int64, _ limit: Int, _ store: Store
    ) throws -> StoredValue? {
        if let key = table.rowidName, !table.isVirtual,
            let value = try? snapshot.large(table.name, column, rowid, limit, key: key, store)
        {
            return value
        }
        // A generated column is in no cell of its own.
        let name = column.quotedSQL
        return try read(table, ["substr(\(name), 1, \(limit))", "length(CAST(\(name) AS BLOB))"], rowid, store) {
            StoredValue(StoredValue($0, at: 0).content, size: Int($0.int64(at: 1)))
        }
    }

    private func read<Value>(
        _ table: FileSchema.Table, _ columns: [String], _ rowid: Int64, _ store: Store,
        _ read: (SQLiteStatement) throws -> Value
    ) throws -> Value? {
        let list = columns.joined(separator: ", ")
        if let ordinals { return try ordinals.read(list, ofRow: rowid, store, read) }
        let key = table.isVirtual ? "rowid" : table.rowidName ?? "_rowid_"
        return try store.first(
            "SELECT \(list) FROM \(table.name.quotedSQL) WHERE \(key) = ?", bind: { try $0.bind(rowid, at: 1) },
            read: read)
    }
}
