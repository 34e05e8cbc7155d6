import SQLiteBridge
import FileEngine

extension ListContent {
    /// Returns a row of the list with its values and the columns of the list's own table.
    package func row(_ rowid: Int64, valueBytes: Int, _ store: Store) throws -> BrowsedRow {
        switch subject {
        case .collection, .view, .fullText: return try snapshot.row(rowid, valueBytes: valueBytes, store)
        case .index(let name, _):
            var row = try snapshot.row(rowid, valueBytes: valueBytes, store)
            row.columns = try columns("secondaryIndex_\(name)", rowid, store)
            return row
        case .rTree(let name):
            var row = try snapshot.row(rowid, valueBytes: valueBytes, store)
            do {
                row.columns = try columns("rTreeIndex_\(name)", rowid, store)
            } catch {
                // A damaged tree must not hide the row that it leads to.
                row.error = row.error ?? "The R-tree cannot be read: \(error)"
            }
            return row
        case .relationship(let name):
            return BrowsedRow(
                rowid: rowid, columns: try withKeys(columns("relationship_\(name)", rowid, store), store),
                hasPlainTexts: true)
        case .smallValues:
            return try smallValue(rowid, store)
        case .table(let name): return try tableRow(name, rowid, valueBytes: valueBytes, store)
        }
    }

    /// Puts the keys of the rows of an edge before their rowids, and the rules in words behind their number.
    private func withKeys(_ columns: [BrowsedRow.Column], _ store: Store) throws -> [BrowsedRow.Column] {
        func key(_ column: String) throws -> BrowsedRow.Column? {
            guard case .integer(let rowid)? = columns.first(where: { $0.name == column })?.value.content,
                let address = try snapshot.keyRow(rowid, store).address
            else { return nil }
            let text = address.collection.bytes + [UInt8(ascii: "/")] + address.key.bytes
            return .init(
                name: column == "src" ? "from" : "to", value: StoredValue(.text(text), size: text.count))
        }
        var named = columns
        let ends = [try key("src"), try key("dst")].compactMap(\.self)
        named.insert(contentsOf: ends, at: min(1, named.count))
        if case .integer(let number)? = columns.first(where: { $0.name == "rules" })?.value.content {
            let words = Array(EdgeRules(number).words.joined(separator: ", ").utf8)
            named.append(.init(name: "rule", value: StoredValue(.text(words), size: words.count)))
        }
        return named
    }

    /// The columns of edges with those that ``withKeys(_:_:)`` adds.
    static func withNames(_ columns: [String]) -> [String] {
        var names = columns
        names.insert(contentsOf: ["from", "to"], at: min(1, names.count))
        return columns.contains("rules") ? names + ["rule"] : names
    }

    private func smallValue(_ rowid: Int64, _ store: Store) throws -> BrowsedRow {
        var columns = try columns(snapshot.schema.smallValues?.name ?? "yap2", rowid, store)
        func removeColumn(_ name: String) -> StoredValue? {
            columns.firstIndex { $0.name == name }.map { columns.remove(at: $0).value }
        }
        let address = BrowsedRow.Address(
            collection: StoredText(removeColumn("extension")?.text ?? ""),
            key: StoredText(removeColumn("key")?.text ?? ""))
        return BrowsedRow(
            rowid: rowid, address: address, object: removeColumn("data"), columns: columns, hasPlainTexts: true)
    }

    func columnNames(_ table: String) -> [String] {
        snapshot.schema.tables[table]?.columns.filter { $0 != "rowid" } ?? []
    }

    private func columns(_ table: String, _ rowid: Int64, _ store: Store) throws -> [BrowsedRow.Column] {
        let names = columnNames(table)
        guard !names.isEmpty else { return [] }
        let list = names.map(\.quotedSQL).joined(separator: ", ")
        return try store.first(
            "SELECT \(list) FROM \(table.quotedSQL) WHERE rowid = ?", bind: { try $0.bind(rowid, at: 1) },
            read: { statement in
                names.enumerated().map { BrowsedRow.Column(name: $1, value: StoredValue(statement, at: $0)) }
            }) ?? []
    }
}

extension ListContent {
    /// A row of the list with its key alone. One that has no key, as an edge, has no address.
    func keyRow(_ rowid: Int64, _ store: Store) throws -> BrowsedRow {
        if subject.hasRowsOfTheDatabase { return try snapshot.keyRow(rowid, store) }
        let row = try row(rowid, valueBytes: 0, store)
        return BrowsedRow(rowid: rowid, address: row.address, error: row.error)
    }
}

extension ListSubject {
    /// Whether its rows are rows of the row table, and their numbers the rowids there.
    package var hasRowsOfTheDatabase: Bool {
        switch self {
        case .relationship, .smallValues, .table: false
        default: true
        }
    }
}
