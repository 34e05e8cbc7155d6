import FileEngine
import SQLiteBridge
import ViewPageKeys

/// Checks that the pages of a view contain the rowids of its map, each once, and that their rows exist.
///
/// Looks up each rowid of a page in the map, in sorted batches. If the map names the same page for all of them, no two pages
/// share a rowid. If the map has no more entries than were found, each of them is in a page.
struct ViewRowidCheck {
    /// Rowids to look up at once, which take 12 MB.
    private static let batchLimit = 500_000
    /// Bytes of a page to read at once.
    private static let pieceLimit = 1 << 20

    private struct Entry {
        let rowid: Int64
        let page: PageName
        let pageRowid: Int64
    }

    let pageTable: String
    private let plainPageTable: String
    private let mapTable: String
    private let store: Store
    private let isStale: Bool
    private var batch: [Entry] = []
    /// Rowids for which map and page agree.
    private var agreed = 0

    init(_ store: Store, view: String, isStale: Bool) {
        self.store = store
        self.isStale = isStale
        plainPageTable = "view_\(view)_page"
        pageTable = Store.quoted(plainPageTable)
        mapTable = Store.quoted("view_\(view)_map")
    }

    /// - Parameter statement: positioned on a page, with the columns rowid, key, group, predecessor, count, bytes; the last
    ///   is -1 if the data is text.
    /// - Returns: the first row of the page.
    mutating func add(
        _ statement: SQLiteStatement, _ page: PageName, _ notes: inout ProblemNotes
    ) throws -> Int64? {
        let (rowid, count) = (statement.int64(at: 0), statement.int64(at: 4))
        var bytes = Int(statement.int64(at: 5))
        if bytes < 0 { bytes = try store.handle.size(table: plainPageTable, column: "data", rowid: rowid) }
        if bytes % 8 != 0 || Int64(bytes / 8) != count {
            notes.add("page \(key(statement)) counts \(count) rows and has \(bytes) bytes, 8 for each row")
        }
        var offset = 0
        var first: Int64?
        while offset + 8 <= bytes {
            let piece = try store.handle.bytes(
                table: plainPageTable, column: "data", rowid: rowid, offset: offset, count: Self.pieceLimit)
            guard piece.count >= 8 else { return first }
            offset += piece.count
            piece.withUnsafeBytes { piece in
                for start in stride(from: 0, through: piece.count - 8, by: 8) {
                    let row = Int64(littleEndian: piece.loadUnaligned(fromByteOffset: start, as: Int64.self))
                    batch.append(Entry(rowid: row, page: page, pageRowid: rowid))
                    first = first ?? row
                }
            }
            if batch.count >= Self.batchLimit { try lookUp(&notes) }
        }
        return first
    }

    mutating func end(_ notes: inout ProblemNotes) throws {
        try lookUp(&notes)
        let entries = try store.first("SELECT count(*) FROM \(mapTable)") { Int($0.int64(at: 0)) } ?? 0
        if entries != agreed { try findStrays(&notes) }
    }

    private mutating func lookUp(_ notes: inout ProblemNotes) throws {
        batch.sort { $0.rowid < $1.rowid }
        let map = try store.handle.statement("SELECT \"pageKey\" FROM \(mapTable) WHERE rowid = ?")
        defer { map.reset() }
        var last: Entry?
        for entry in batch {
            if let last, last.rowid == entry.rowid {
                try notes.add("row \(entry.rowid) occurs twice: in pages \(key(last)) and \(key(entry))")
                continue
            }
            last = entry
            if try isInMap(entry, map, &notes) { agreed += 1 }
            // A stale view is known to be behind the rows; it is rebuilt when it is next registered.
            if !isStale, try !store.hasRow(entry.rowid) {
                notes.add("row \(entry.rowid) is in the view, but not in the database")
            }
        }
        batch.removeAll(keepingCapacity: true)
    }

    private func isInMap(_ entry: Entry, _ map: SQLiteStatement, _ notes: inout ProblemNotes) throws -> Bool {
        map.rewind()
        try map.bind(entry.rowid, at: 1)
        let isThere = try map.step()
        let isText = isThere && map.type(at: 0) == .text
        if isText, PageName(map, at: 0) == entry.page { return true }
        let found = isText ? map.text(at: 0) : isThere ? "what is no text" : nil
        try notes.add(
            "row \(entry.rowid) is in page \(key(entry)), but the map says \(found ?? "nothing")")
        return false
    }

    /// Finds entries of the map for rows that are in no page. Called only if there are any, because it reads a page for each
    /// entry.
    private func findStrays(_ notes: inout ProblemNotes) throws {
        let map = try store.handle.statement(
            """
            SELECT m.rowid, m."pageKey", p.rowid FROM \(mapTable) AS m LEFT JOIN \(pageTable) AS p \
            ON p."pageKey" = m."pageKey" ORDER BY m.rowid
            """)
        defer { map.reset() }
        var order = CursorOrder(.rowid)
        while try map.step() {
            try order.advance(to: map)
            let rowid = map.int64(at: 0)
            if !map.isNull(at: 2), try isIn(page: map.int64(at: 2), rowid) { continue }
            notes.add("the map says that row \(rowid) is in page \(map.text(at: 1) ?? ""), which does not contain it")
        }
    }

    private func isIn(page: Int64, _ rowid: Int64) throws -> Bool {
        var offset = 0
        // The data may be NULL, which cannot be read.
        while let piece = try? store.handle.bytes(
            table: plainPageTable, column: "data", rowid: page, offset: offset, count: Self.pieceLimit),
            piece.count >= 8
        {
            offset += piece.count
            let isHere = piece.withUnsafeBytes { piece in
                stride(from: 0, through: piece.count - 8, by: 8).contains {
                    Int64(littleEndian: piece.loadUnaligned(fromByteOffset: $0, as: Int64.self)) == rowid
                }
            }
            if isHere { return true }
        }
        return false
    }

    private func key(_ statement: SQLiteStatement) -> String { statement.text(at: 1) ?? "" }

    private func key(_ entry: Entry) throws -> String {
        try store.first(
            "SELECT \"pageKey\" FROM \(pageTable) WHERE rowid = ?", bind: { try $0.bind(entry.pageRowid, at: 1) },
            read: { $0.text(at: 0) ?? "" }) ?? ""
    }
}

extension Store {
    fileprivate func hasRow(_ rowid: Int64) throws -> Bool {
        try key(forRowid: rowid) != nil
    }
}
