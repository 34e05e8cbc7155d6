import FileEngine
import SQLiteBridge
import ViewPageKeys

/// Writes the map of a view that is filled: for each row, the page of the view that holds it.
///
/// One run of a statement writes several rows. To end a run and to begin the next one, which searches from the root of the table's tree, costs
/// as much as to write a row.
///
/// The rows must come in ascending order of their rowids. Then a run changes one or two pages of the file. SQLite saves a copy of each page
/// that a run of several rows changes, in case the run fails.
final class PageMapWriter {
    /// A row and the index of its page.
    struct Row {
        let rowid: Int64
        let page: Int32

        @inlinable init(rowid: Int64, page: Int32) { (self.rowid, self.page) = (rowid, page) }
    }

    private static let rowsOfRun = 128

    private let single: SQLiteStatement
    private let several: SQLiteStatement
    /// Appends several rows whose rowids follow the greatest rowid of the table. SQLite gives them their rowids, without a search for their
    /// places.
    private let following: SQLiteStatement
    /// The greatest rowid of the table; nil while it is empty.
    private var greatest: Int64?
    /// The texts of the keys that a run binds.
    private let texts: UnsafeMutableRawBufferPointer
    private let store: Store
    private let sql: ViewSQL
    /// Whether a run has shown that SQLite gives the rows their rowids. It does so in every table of this library; a table that another program
    /// has made may differ.
    private var isNumbered = false

    init(_ store: Store, _ sql: ViewSQL) throws {
        func values(_ value: String) -> String { Array(repeating: ", \(value)", count: Self.rowsOfRun - 1).joined() }
        greatest = try Self.greatest(store, sql)
        (single, several) = try store.handle.statements(sql.setPageKey, sql.setPageKey + values("(?, ?)"))
        do {
            following = try store.handle.statement(sql.appendPageKey + values("(?)"))
        } catch {
            single.reset()
            several.reset()
            throw error
        }
        texts = .allocate(byteCount: Self.rowsOfRun * PageName.textLength, alignment: 8)
        (self.store, self.sql) = (store, sql)
    }

    deinit {
        single.reset()
        several.reset()
        following.reset()
        texts.deallocate()
    }

    /// - Parameters:
    ///   - rows: the rows in ascending order of their rowids, each once.
    ///   - pages: the pages to which the rows' indexes refer. Their keys are UUIDs.
    func write(_ rows: [Row], pages: [PageName]) throws {
        var rows = rows[...]
        while !rows.isEmpty {
            let run = rows.prefix(rows.count < Self.rowsOfRun ? 1 : Self.rowsOfRun)
            if run.count > 1, doesFollow(run) {
                try append(run, pages)
            } else {
                try set(run, pages)
            }
            greatest = max(greatest ?? .min, run[run.endIndex - 1].rowid)
            rows.removeFirst(run.count)
        }
    }

    private static func greatest(_ store: Store, _ sql: ViewSQL) throws -> Int64? {
        try store.first(sql.greatestRowid) { $0.isNull(at: 0) ? nil : $0.int64(at: 0) } ?? nil
    }

    /// Whether the rows have the rowids that SQLite would give to the next rows.
    private func doesFollow(_ rows: ArraySlice<Row>) -> Bool {
        var next = greatest ?? 0
        for row in rows {
            guard next < .max, row.rowid == next + 1 else { return false }
            next += 1
        }
        return true
    }

    private func set(_ rows: ArraySlice<Row>, _ pages: [PageName]) throws {
        let statement = rows.count == 1 ? single : several
        defer { statement.rewind() }
        for (number, row) in rows.enumerated() {
            try statement.bind(row.rowid, at: 2 * number + 1)
            try statement.bind(borrowingText: text(number, of: pages[Int(row.page)]), at: 2 * number + 2)
        }
        try statement.run()
    }

    private func append(_ rows: ArraySlice<Row>, _ pages: [PageName]) throws {
        defer { following.rewind() }
        for (number, row) in rows.enumerated() {
            try following.bind(borrowingText: text(number, of: pages[Int(row.page)]), at: number + 1)
        }
        try following.run()
        guard !isNumbered else { return }
        isNumbered = try Self.greatest(store, sql) == rows[rows.endIndex - 1].rowid
        guard isNumbered else {
            throw YapDatabaseError(
                .corrupt, "The \"rowid\" of a view's map is no primary key, as it is in every file of YapDatabase.")
        }
    }

    /// Writes the key of a page into the buffer of texts, where it is valid until the next run.
    private func text(_ number: Int, of page: PageName) -> UnsafeRawBufferPointer {
        let text = UnsafeMutableRawBufferPointer(
            rebasing: texts[number * PageName.textLength..<(number + 1) * PageName.textLength])
        page.write(uuidText: text)
        return UnsafeRawBufferPointer(text)
    }
}

/// Writes the page of many rows into the map of a view, with one prepared statement for all of them.
final class MapWriter {
    private let change: SQLiteStatement
    private let removal: SQLiteStatement

    init(_ store: Store, _ sql: ViewSQL) throws {
        (change, removal) = try store.handle.statements(sql.setPageKey, sql.removePageKey)
    }

    deinit {
        change.reset()
        removal.reset()
    }

    /// - Parameter page: nil for a row that leaves the view.
    func set(_ page: PageKey?, ofRowid rowid: Int64) throws {
        guard let page else {
            defer { removal.rewind() }
            try removal.bind(rowid, at: 1)
            return try removal.run()
        }
        defer { change.rewind() }
        try change.bind(rowid, at: 1)
        try page.withBytes { bytes in
            try change.bind(borrowingText: bytes, at: 2)
            try change.run()
        }
    }
}

/// Reads on which page of a view each of many rows is. Quickest for rows that follow each other in ascending order.
final class MapReader {
    private let statement: SQLiteStatement
    private var search = AscendingSearch()

    init(_ store: Store, _ sql: ViewSQL) throws { statement = try store.handle.statement(sql.pageKeysFrom) }

    deinit { statement.reset() }

    /// Nil for a row that is not in the view.
    func page(ofRowid rowid: Int64) throws -> PageName? {
        try search.find(rowid, statement, rowidColumn: 0) ? PageName(statement, at: 1) : nil
    }
}
