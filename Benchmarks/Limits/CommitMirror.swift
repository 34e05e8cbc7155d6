import Foundation

/// Repeats commits of ours in a copy of their file, by SQLite alone: what a commit costs whose bytes are all known.
final class CommitMirror {
    /// What one commit has written.
    struct Writes {
        fileprivate var rowid: Int64
        fileprivate var data: Data
        fileprivate var changedPages: [Page]
        fileprivate var newPages: [Page]
        fileprivate var removedPages: [String]
        fileprivate var map: [(rowid: Int64, page: String)]
        fileprivate var number: Int64
    }

    fileprivate struct Page {
        let key: String
        let group: String
        /// Empty for the first page of a group.
        let previous: String
        let count: Int64
        let data: Data
    }

    private let source: RawHandle
    private let copy: RawHandle
    // Of the source.
    private let rowOfKey: RawStatement
    private let pageOfRow: RawStatement
    private let page: RawStatement
    private let follower: RawStatement
    private let pagesAfter: RawStatement
    private let number: RawStatement
    // Of the copy.
    private let formerPageOfRow: RawStatement
    private let setRow: RawStatement
    private let setPage: RawStatement
    private let addPage: RawStatement
    private let removePage: RawStatement
    private let setMap: RawStatement
    private let setNumber: RawStatement
    /// The newest page that the copy has.
    private var lastPage: Int64

    /// - Parameter copy: a copy of the file, before the first commit to repeat.
    init(of source: URL, copy: URL, view: String) throws {
        let (pages, map) = ("\"view_\(view)_page\"", "\"view_\(view)_map\"")
        let fields = #""pageKey", "group", coalesce("prevPageKey", ''), "count", "data""#
        self.source = try RawHandle(source)
        self.copy = try RawHandle(copy)
        rowOfKey = try self.source.prepare(
            #"SELECT "rowid", "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        pageOfRow = try self.source.prepare("SELECT \"pageKey\" FROM \(map) WHERE \"rowid\" = ?")
        page = try self.source.prepare("SELECT \(fields) FROM \(pages) WHERE \"pageKey\" = ?")
        follower = try self.source.prepare("SELECT \(fields) FROM \(pages) WHERE \"prevPageKey\" = ?")
        pagesAfter = try self.source.prepare("SELECT \(fields), rowid FROM \(pages) WHERE rowid > ?")
        number = try self.source.prepare(#"SELECT "data" FROM "yap2" WHERE "key" = 'snapshot'"#)
        formerPageOfRow = try self.copy.prepare("SELECT \"pageKey\" FROM \(map) WHERE \"rowid\" = ?")
        setRow = try self.copy.prepare(#"UPDATE "database2" SET "data" = ? WHERE "rowid" = ?"#)
        setPage = try self.copy.prepare(
            "UPDATE \(pages) SET \"prevPageKey\" = nullif(?, ''), \"count\" = ?, \"data\" = ? WHERE \"pageKey\" = ?")
        addPage = try self.copy.prepare(
            """
            INSERT INTO \(pages) ("pageKey", "group", "prevPageKey", "count", "data") \
            VALUES (?, ?, nullif(?, ''), ?, ?)
            """)
        removePage = try self.copy.prepare("DELETE FROM \(pages) WHERE \"pageKey\" = ?")
        setMap = try self.copy.prepare("INSERT OR REPLACE INTO \(map) (\"rowid\", \"pageKey\") VALUES (?, ?)")
        setNumber = try self.copy.prepare(
            #"UPDATE "yap2" SET "data" = ? WHERE "extension" = '' AND "key" = 'snapshot'"#)
        lastPage = try self.copy.prepare("SELECT max(rowid) FROM \(pages)").first { $0.int64(0) } ?? 0
    }

    /// Finds what the last commit of the source has written, which moved a row.
    func writes(movingRow key: String, of collection: String) throws -> Writes {
        guard let (rowid, data) = try rowOfKey.first(collection, key, read: { ($0.int64(0), $0.data(1)) }),
            let present = try pageOfRow.first(rowid, read: { $0.text(0) }),
            let former = try formerPageOfRow.first(rowid, read: { $0.text(0) }),
            let number = try number.first(read: { $0.int64(0) })
        else { throw RawError("The row \(key) is not in the view.") }
        var writes = Writes(
            rowid: rowid, data: data, changedPages: [], newPages: [], removedPages: [], map: [], number: number)
        try pagesAfter.forEach(binding: [lastPage]) { row in
            writes.newPages.append(row.page)
            lastPage = row.int64(5)
        }
        for new in writes.newPages {
            if let next = try follower.first(new.key, read: { $0.page }) { writes.changedPages.append(next) }
            writes.map += new.data.rowids.map { (rowid: $0, page: new.key) }
        }
        for key in Set([present, former]) {
            if let page = try page.first(key, read: { $0.page }) {
                writes.changedPages.append(page)
            } else {
                writes.removedPages.append(key)
            }
        }
        let new = Set(writes.newPages.map(\.key))
        writes.changedPages.removeAll { new.contains($0.key) }
        if !new.contains(present) { writes.map.append((rowid: rowid, page: present)) }
        return writes
    }

    /// Makes the same commit in the copy.
    func commit(_ writes: Writes) throws {
        try copy.inTransaction {
            try setRow.run(writes.data, writes.rowid)
            for key in writes.removedPages { try removePage.run(key) }
            for page in writes.changedPages { try setPage.run(page.previous, page.count, page.data, page.key) }
            for page in writes.newPages {
                try addPage.run(page.key, page.group, page.previous, page.count, page.data)
            }
            for entry in writes.map { try setMap.run(entry.rowid, entry.page) }
            try setNumber.run(writes.number)
        }
    }
}

extension Data {
    /// The rows of a page of a view.
    var rowids: [Int64] {
        withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self))
            }
        }
    }
}

extension RawStatement {
    fileprivate var page: CommitMirror.Page {
        CommitMirror.Page(key: text(0), group: text(1), previous: text(2), count: int64(3), data: data(4))
    }
}
