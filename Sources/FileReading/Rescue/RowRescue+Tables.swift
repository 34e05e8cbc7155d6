import FileEngine
import SQLiteBridge

/// A table that is not that of the rows: one of an extension, or of the app.
struct TornTable {
    let name: String
    let root: Int
    let shape: TableShape
    /// The first pages of its indexes that name every row.
    let indexes: [Int]
}

/// The rows of other tables. Nothing but its shape says to which table a page belongs that nothing leads to: it counts as one of a table
/// of which pages are missing, if its records have the shape of that one alone. Where an index of the table is whole, it says exactly
/// which rows there are.
extension RowRescue {
    struct TableResult {
        var found = 0
        var inOlderCopies = 0
        /// Rows that may be of several tables, or that an index does not name, and are left out.
        var refused = 0
        /// How many rows are lost; nil if no index is whole that says so.
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

    /// The tables of which pages are missing.
    /// - Parameter tables: those with rowids, and how many columns they have.
    func tornTables(
        _ tables: [(name: String, columns: Int)], roots: [String: Int], _ store: Store
    ) throws -> [TornTable] {
        try tables.compactMap { table in
            guard table.name != Schema.rowTable, let root = roots[table.name], !isWhole(root),
                let shape = TableShape(table.name, columns: table.columns, store)
            else { return nil }
            let indexes = try store.all(
                "SELECT name FROM pragma_index_list(?) WHERE partial = 0", bind: { try $0.bind(table.name, at: 1) },
                read: { $0.text(at: 0) ?? "" })
            return TornTable(
                name: table.name, root: root, shape: shape, indexes: indexes.compactMap { roots[$0] }.filter(isWhole))
        }
    }

    /// Finds the rows of a table that are not among those that were read.
    /// - Parameters:
    ///   - torn: all tables of which pages are missing.
    ///   - read: the rowids that SQLite found.
    ///   - row: called with each row.
    func run(
        _ table: TornTable, among torn: [TornTable], besides read: RowidRanges, _ row: (StoredRecord) throws -> Void
    ) throws -> TableResult {
        var result = TableResult()
        var missing = try table.indexes.first.map { try rowids(inIndex: $0, besides: read) }
        var met: Set<Int64> = []
        func add(_ record: StoredRecord, _ count: WritableKeyPath<TableResult, Int>) throws {
            guard let rowid = record.rowid, !read.contains(rowid), !met.contains(rowid) else { return }
            if missing != nil, missing?.remove(rowid) == nil {
                result.refused += 1
                return
            }
            met.insert(rowid)
            result[keyPath: count] += 1
            try row(table.shape.row(record))
        }
        let others = torn.filter { $0.root != table.root }
        // Pages of its own that SQLite did not get to, because something before them is damaged.
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
                        table.shape.fits($0.types) && missing!.contains($0.rowid ?? 0)
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
