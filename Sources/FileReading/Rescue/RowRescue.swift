import FileEngine
import ListChanges
import SQLiteBridge

/// A row that was in the file and is not found.
package struct LostRow: Hashable, Sendable {
    package var rowid: Int64
    package var collection: StoredText
    package var key: StoredText
}

/// The rows of a damaged file that SQLite does not lead to, and the keys of those that are lost.
///
/// A row that was written lies on a leaf of the table until its page is used for something else. Where an inner page of the
/// table is lost, or the schema, nothing leads to that leaf. So all pages are read. A leaf belongs to the rows if their tree
/// leads to it, or if no tree leads to it, it is not free, and its records have the shape of rows.
///
/// The index of the keys has a tree of its own. While that is whole, it says exactly which rows there have to be; a row that
/// it does not name, as on the page of a table that was dropped, is not brought back.
struct RowRescue {
    /// Where rows were found, and what is missing.
    struct Result {
        var onStrayPages = 0
        var onDamagedPages = 0
        var inOlderCopies = 0
        /// Rows that may have been removed, and are left out.
        var refused = 0
        /// In the order of the rowids.
        var lost: [LostRow] = []
        /// Whether `lost` has every lost row.
        var isExact = false

        /// What was done, in sentences.
        var sentences: [String] {
            [
                (onStrayPages, "found on pages that nothing leads to."),
                (onDamagedPages, "found on damaged pages of their table."),
                (inOlderCopies, "found in older copies of pages in the log: they may have changed since."),
                (
                    refused,
                    "on pages that nothing leads to and not named by the index of the keys: they were removed, or are of another "
                        + "table, and are left out."
                ),
            ].compactMap(RowRescue.sentence)
        }
    }

    /// Says what became of rows; nil if there are none.
    static func sentence(_ count: Int, _ what: String) -> String? {
        switch count {
        case 0: nil
        case 1: "1 row was \(what)"
        default: "\(RowCount(count)) rows were \(what)"
        }
    }

    let pages: FilePages
    let owners: PageOwners
    let reader: RecordReader
    private let rowsRoot: Int?
    private let keysRoot: Int?
    let isCancelled: () -> Bool
    /// Whether the index of the keys is whole, so that what it does not name is no row.
    private let knowsKeys: Bool
    /// Whether every page of the rows' tree is there, and has rows.
    let hasWholeTable: Bool

    /// The most keys of missing rows that are kept in memory.
    static let missingLimit = 5_000_000

    /// Reads the whole file once.
    /// - Parameter roots: of all trees of the schema, by the name of the table or index.
    init(_ pages: FilePages, roots: ExactDictionary<Int>, isCancelled: @escaping () -> Bool) throws {
        self.pages = pages
        self.isCancelled = isCancelled
        reader = RecordReader(pages)
        rowsRoot = roots[Schema.rowTable]
        keysRoot = roots[Schema.keyIndexName]
        let first = [rowsRoot, keysRoot].compactMap { $0 }
        let others = roots.values.filter { !first.contains($0) }.sorted()
        owners = try PageOwners(pages, roots: first + [1] + others, isCancelled: isCancelled)
        knowsKeys = try Self.isComplete(
            index: keysRoot, owners, pages, reader, isCancelled: isCancelled, isEntry: RecordShape.keys.fits)
        hasWholeTable = try Self.isComplete(
            table: rowsRoot, owners, pages, reader, isCancelled: isCancelled, isRow: RecordShape.rows.fits)
    }

    /// The first page of each table and index, by name, as far as the schema can be read.
    static func roots(_ store: Store) -> ExactDictionary<Int> {
        var roots = ExactDictionary<Int>()
        guard let statement = try? store.handle.statement("SELECT name, rootpage FROM sqlite_master") else {
            return roots
        }
        defer { statement.reset() }
        while (try? statement.step()) == true {
            let root = Int(statement.int64(at: 1))
            if root > 1 { roots[statement.text(at: 0) ?? ""] = root }
        }
        return roots
    }

    /// Whether a page that no tree leads to has a row.
    func hasRows() throws -> Bool {
        for number in owners.strayLeaves {
            guard let bytes = pages.page(number) else { continue }
            var isFound = false
            _ = try records(on: bytes, number, RecordShape.rows) { _ in
                !isFound
            } found: { _ in
                isFound = true
                return true
            }
            if isFound { return true }
        }
        return false
    }

    func pagesOfTree(_ root: Int) -> [Int] { owners.pages(of: root) }
    var strayLeaves: [Int] { owners.strayLeaves }
    /// The pages that trees lead to and that are none of a tree.
    var brokenPages: [Int] { owners.brokenPages }

    /// Returns what the index of the keys names, by rowid; nil if it is not whole.
    func namedRows() throws -> [Int64: [[StoredText]]]? {
        guard knowsKeys else { return nil }
        let named = try missingKeys(RowidRanges(), [])
        return named.count < Self.missingLimit ? named : nil
    }

    /// Finds the rows that are not among those that were read.
    /// - Parameters:
    ///   - read: the rowids that SQLite found.
    ///   - others: entries of indexes that look like keys and are not, by what they name.
    ///   - row: called with each row.
    func run(
        besides read: RowidRanges, others: Set<[StoredText]> = [], _ row: (StoredRecord) throws -> Void
    ) throws -> Result {
        var result = Result()
        var search = Search(missing: try missingKeys(read, others), knowsKeys: knowsKeys, read: read)
        let owned = rowsRoot.map(owners.pages) ?? []
        for number in owned {
            guard let bytes = pages.page(number) else { continue }
            result.onDamagedPages += try records(on: bytes, number) { head in
                search.isWanted(head)
            } found: { record in
                try search.add(record, isStray: false, &result.refused, row)
            }
        }
        for number in owners.strayLeaves {
            guard let bytes = pages.page(number) else { continue }
            result.onStrayPages += try records(on: bytes, number) { head in
                search.isWanted(head)
            } found: { record in
                try search.add(record, isStray: true, &result.refused, row)
            }
        }
        try findOlder(&search, &result, row)
        result.lost = search.missing.map { rowid, names in
            LostRow(rowid: rowid, collection: names[0][0], key: names[0][1])
        }.sorted { $0.rowid < $1.rowid }
        result.isExact = knowsKeys
        return result
    }

    /// Older copies of pages have rows in an earlier state, or rows that were removed: only those that the index names count,
    /// or if it is damaged, those of a page whose newest copy is destroyed.
    private func findOlder(_ search: inout Search, _ result: inout Result, _ row: (StoredRecord) throws -> Void) throws
    {
        if knowsKeys, search.missing.isEmpty { return }
        for number in pages.pagesWithOlderCopies {
            let isDestroyed =
                pages.page(number)?.withUnsafeBytes {
                    TreePage($0, isFirst: number == 1, usable: pages.usable) == nil
                } ?? true
            for bytes in pages.olderCopies(of: number) {
                result.inOlderCopies += try records(on: bytes, number) { head in
                    search.isWanted(head) && (isDestroyed || search.missing[head.rowid ?? 0] != nil)
                } found: { record in
                    var refused = 0
                    return try search.add(record, isStray: true, &refused, row)
                }
            }
        }
    }

    /// Calls a closure with the rows on a page.
    /// - Returns: how often it returned true.
    func records(
        on bytes: [UInt8], _ number: Int, _ shape: RecordShape = .rows, isWanted: (RecordReader.Head) -> Bool,
        found: (StoredRecord) throws -> Bool
    ) throws -> Int {
        if isCancelled() { throw YapDatabaseError(.interrupted, "The search for rows was stopped.") }
        return try bytes.withUnsafeBytes { bytes in
            guard let page = TreePage(bytes, isFirst: number == 1, usable: pages.usable), page.kind == .tableLeaf else {
                return 0
            }
            var count = 0
            for cell in page.cells {
                guard let head = reader.head(page, cell: cell), shape.fits(head), isWanted(head),
                    let record = reader.record(head, page), try found(record)
                else { continue }
                count += 1
            }
            return count
        }
    }

    /// Returns what the index of the keys names and was not read, by rowid. Other indexes may have entries of the same shape,
    /// so in a file without a schema a rowid can have several.
    private func missingKeys(_ read: RowidRanges, _ others: Set<[StoredText]>) throws -> [Int64: [[StoredText]]] {
        var missing: [Int64: [[StoredText]]] = [:]
        let stray = knowsKeys ? [] : owners.strayKeys
        for number in (keysRoot.map(owners.pages) ?? []) + stray {
            if isCancelled() { throw YapDatabaseError(.interrupted, "The search for rows was stopped.") }
            guard let bytes = pages.page(number), missing.count < Self.missingLimit else { continue }
            bytes.withUnsafeBytes { bytes in
                guard let page = TreePage(bytes, isFirst: false, usable: pages.usable) else { return }
                for cell in page.cells {
                    guard let head = reader.head(page, cell: cell), RecordShape.keys.fits(head),
                        let values = reader.record(head, page)?.values, case .integer(let rowid) = values[2],
                        !read.contains(rowid)
                    else { continue }
                    let names = values.prefix(2).compactMap(StoredText.init(name:))
                    if !others.contains(names) { missing[rowid, default: []].append(names) }
                }
            }
        }
        return missing
    }
}

extension RowRescue {
    /// What is still looked for.
    fileprivate struct Search {
        /// What the index of the keys names and is not found yet.
        var missing: [Int64: [[StoredText]]]
        let knowsKeys: Bool
        let read: RowidRanges
        private var found: Set<Int64> = []

        init(missing: [Int64: [[StoredText]]], knowsKeys: Bool, read: RowidRanges) {
            (self.missing, self.knowsKeys, self.read) = (missing, knowsKeys, read)
        }

        /// Whether a row may be one that is looked for, as far as its rowid tells.
        func isWanted(_ head: RecordReader.Head) -> Bool {
            guard let rowid = head.rowid else { return false }
            return !read.contains(rowid) && !found.contains(rowid)
        }

        /// - Parameter isStray: whether the row is on a page that the tree of the rows does not lead to.
        /// - Returns: whether the row is one that is looked for.
        mutating func add(
            _ record: StoredRecord, isStray: Bool, _ refused: inout Int, _ row: (StoredRecord) throws -> Void
        ) throws -> Bool {
            guard let rowid = record.rowid else { return false }
            let names = record.values[1...2].compactMap(StoredText.init(name:))
            let isNamed = missing[rowid]?.contains(names)
            // Where the index does not know the row, it is removed, or the index is damaged there.
            if isStray, isNamed == false || isNamed == nil && knowsKeys {
                refused += 1
                return false
            }
            found.insert(rowid)
            missing[rowid] = nil
            var record = record
            // Stored as NULL.
            record.values[0] = .integer(rowid)
            try row(record)
            return true
        }
    }
}

extension StoredText {
    /// - Returns: nil for a value that is no name.
    init?(name: StoredValue.Content) {
        switch name {
        case .text(let bytes): self.init(bytes, isBlob: false)
        case .blob(let bytes): self.init(bytes, isBlob: true)
        case .null, .integer, .real: return nil
        }
    }
}
