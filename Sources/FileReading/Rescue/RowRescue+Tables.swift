import FileEngine
import ListChanges
import SQLiteBridge

/// A table other than the row table, of which pages are missing: a table of an extension or of the app.
struct TornTable {
    let name: String
    let root: Int
    let shape: TableShape
    /// The indexes of the table that are whole and name every row.
    let indexes: [TableIndex]
}

/// An index of a table, each entry of which ends with the rowid.
struct TableIndex {
    let root: Int
    /// For each value of an entry, the number of its column in the table; negative for the rowid and for expressions.
    let columns: [Int]
}

/// Finds the rows of tables other than the row table.
///
/// A page to which no other page leads (a stray page) does not name its table. Such a page is taken for a page of a torn table if its records
/// have the shape of that table's rows and of no other torn table's. If the table has a whole index, the index decides: it names every row
/// that the table had.
extension RowRescue {
    struct TableResult {
        var found = 0
        var inOlderCopies = 0
        /// The number of rows that are left out, because they may be of several tables or because the table's index does not name them.
        var refused = 0
        /// The number of rows that are lost; nil if the table has no whole index that names them.
        var lost: Int?

        /// What was done, in sentences.
        func sentences(_ table: String) -> [String] {
            [
                (found, "found on pages that nothing leads to."),
                (inOlderCopies, "found in older copies of pages in the log."),
                (
                    refused,
                    "on pages that nothing leads to: they may be of another table, or were removed, and are left out."
                ),
            ].compactMap(RowRescue.sentence).map { "Table \"\(table)\": \($0)" }
        }
    }

    /// Returns the tables that lack pages, or whose pages have been overwritten with something else.
    /// - Parameter tables: the tables that have rowids, each with the number of its columns.
    func tornTables(
        _ tables: [(name: String, columns: Int)], roots: ExactDictionary<Int>, _ store: Store
    ) throws -> [TornTable] {
        try tables.compactMap { table in
            guard table.name != Schema.rowTable, let root = roots[table.name],
                let shape = TableShape(table.name, columns: table.columns, store),
                try !Self.isComplete(
                    table: root, owners, pages, reader, isCancelled: isCancelled, isRow: { shape.mayHave($0.types) })
            else { return nil }
            let indexes = try store.all(
                "SELECT name FROM pragma_index_list(?) WHERE partial = 0", bind: { try $0.bind(table.name, at: 1) },
                read: { $0.text(at: 0) ?? "" })
            return TornTable(
                name: table.name, root: root, shape: shape,
                indexes: try indexes.compactMap { try deciding($0, roots, store) })
        }
    }

    /// Returns an index that is whole and in its order, so that it says which rows its table has; nil for any other.
    private func deciding(_ name: String, _ roots: ExactDictionary<Int>, _ store: Store) throws -> TableIndex? {
        let columns = try store.all(
            "SELECT cid, key = 0 OR desc = 0 AND coll = 'BINARY' FROM pragma_index_xinfo(?)",
            bind: { try $0.bind(name, at: 1) }, read: { (place: Int($0.int64(at: 0)), isPlain: $0.int64(at: 1) != 0) })
        // Stray pages may be of another index that lacks pages.
        let isAnotherTorn = roots.contains { !$0.key.hasSameBytes(as: name) && !owners.isWhole($0.value) }
        guard let root = roots[name], columns.allSatisfy(\.isPlain),
            try Self.isComplete(
                index: root, owners, pages, reader, isOthers: isAnotherTorn, isCancelled: isCancelled,
                isEntry: { $0.types.count == columns.count })
        else { return nil }
        return TableIndex(root: root, columns: columns.map(\.place))
    }

    /// Returns the entries of an index by rowid, except those of rows that were read already.
    private func entries(_ index: TableIndex, besides read: RowidRanges) throws -> [Int64: [StoredValue.Content]] {
        var entries: [Int64: [StoredValue.Content]] = [:]
        for number in owners.pages(of: index.root) where entries.count < Self.missingLimit {
            if isCancelled() { throw YapDatabaseError(.interrupted, "The search for rows was stopped.") }
            pages.page(number)?.withUnsafeBytes { bytes in
                guard let page = TreePage(bytes, isFirst: false, usable: pages.usable) else { return }
                for cell in page.cells {
                    guard let head = reader.head(page, cell: cell), let values = reader.record(head, page)?.values,
                        case .integer(let rowid) = values.last, !read.contains(rowid)
                    else { continue }
                    entries[rowid] = values
                }
            }
        }
        return entries
    }

    /// Finds the rows of a table that SQLite did not find.
    /// - Parameters:
    ///   - torn: all tables that lack pages.
    ///   - read: the rowids of the rows that SQLite found.
    ///   - row: called with each row.
    func run(
        _ table: TornTable, among torn: [TornTable], besides read: RowidRanges, _ row: (StoredRecord) throws -> Void
    ) throws -> TableResult {
        var result = TableResult()
        let index = table.indexes.first
        var missing = try index.map { try entries($0, besides: read) }
        var met: Set<Int64> = []
        func add(_ record: StoredRecord, _ count: WritableKeyPath<TableResult, Int>) throws {
            guard let rowid = record.rowid, !read.contains(rowid), !met.contains(rowid) else { return }
            if let index, let known = missing {
                // The row of another table can have the same rowid and the same shape.
                guard let entry = known[rowid],
                    count == \.inOlderCopies || table.shape.fits(record, entry, index.columns)
                else { return result.refused += 1 }
                missing?[rowid] = nil
            }
            met.insert(rowid)
            result[keyPath: count] += 1
            try row(table.shape.row(record))
        }
        let others = torn.filter { $0.root != table.root }
        // Pages of the table's tree that SQLite did not reach, because a page before them is damaged.
        for number in pagesOfTree(table.root) {
            for record in try records(onPage: number, { table.shape.fits($0.types) }) { try add(record, \.found) }
        }
        for number in strayLeaves {
            var isOnlyHere = true
            let found = try records(onPage: number) { head in
                guard table.shape.fits(head.types), !RecordShape.rows.fits(head) else { return false }
                if others.contains(where: { $0.shape.fits(head.types) }) { isOnlyHere = false }
                return true
            }
            if !isOnlyHere, missing == nil {
                result.refused += found.count { $0.rowid.map { !read.contains($0) } ?? false }
                continue
            }
            for record in found { try add(record, \.found) }
        }
        if missing?.isEmpty == false {
            for number in pages.pagesWithOlderCopies {
                for bytes in pages.olderCopies(of: number) {
                    let found = try records(on: bytes, number) {
                        table.shape.fits($0.types) && missing![$0.rowid ?? 0] != nil
                    }
                    for record in found { try add(record, \.inOlderCopies) }
                }
            }
        }
        result.lost = missing?.count
        return result
    }

    private func records(onPage number: Int, _ isWanted: (RecordReader.Head) -> Bool) throws -> [StoredRecord] {
        try pages.page(number).map { try records(on: $0, number, isWanted) } ?? []
    }

    private func records(
        on bytes: [UInt8], _ number: Int, _ isWanted: (RecordReader.Head) -> Bool
    ) throws -> [StoredRecord] {
        var found: [StoredRecord] = []
        _ = try records(on: bytes, number, .any, isWanted: isWanted) {
            found.append($0)
            return true
        }
        return found
    }
}
