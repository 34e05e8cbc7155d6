import SQLiteBridge

/// Whether the tables of one view agree with each other and with the rows.
///
/// A page holds rowids as little-endian 64-bit integers; the pages of a group are a list, each naming its predecessor;
/// the map says for each rowid in which page it stands.
struct ViewCheck {
    private let store: Store
    private let name: String
    private let isStale: Bool
    private var found: [String] = []

    init(_ store: Store, _ name: String) throws {
        self.store = store
        self.name = name
        isStale = try store.registeredExtension(name)?.isStale ?? false
    }

    func problems() throws -> [YapDatabaseProblem] {
        var check = self
        try check.run()
        let followsFromRows = try store.followsFromRows(extension: name)
        return check.found.map { .inExtension(name, $0, followsFromRows: followsFromRows) }
    }

    private mutating func run() throws {
        guard try store.registeredExtension(name) != nil else {
            return note("has tables, but no entry in yap2")
        }
        for suffix in ["page", "map"] where try !hasTable(suffix) { return note("has no \(suffix) table") }
        let pages = try readPages()
        for (group, pages) in Dictionary(grouping: pages, by: \.group).sorted(by: { $0.key < $1.key }) {
            checkChain(group, pages)
        }
        try checkRowids(pages)
    }

    private struct Page {
        let key: String
        let group: String
        let previous: String?
        let count: Int
        let rowids: [Int64]
        let byteCount: Int
    }

    private func readPages() throws -> [Page] {
        try store.all(
            "SELECT \"pageKey\", \"group\", \"prevPageKey\", \"count\", \"data\" FROM \(table("page"))"
        ) { row in
            let (rowids, byteCount) = row.withBlob(at: 4) { Self.rowids($0) }
            return Page(
                key: row.text(at: 0) ?? "", group: row.text(at: 1) ?? "",
                previous: row.text(at: 2).flatMap { $0.isEmpty ? nil : $0 }, count: Int(row.int64(at: 3)),
                rowids: rowids, byteCount: byteCount)
        }
    }

    private static func rowids(_ bytes: UnsafeRawBufferPointer?) -> (rowids: [Int64], byteCount: Int) {
        guard let bytes else { return ([], 0) }
        let starts = stride(from: 0, through: bytes.count - 8, by: 8)
        return (
            starts.map { Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)) }, bytes.count
        )
    }

    /// One head, no missing predecessor, no fork, no cycle.
    private mutating func checkChain(_ group: String, _ pages: [Page]) {
        let heads = pages.filter { $0.previous == nil }
        if heads.count != 1 { note("group \"\(group)\" has \(heads.count) first pages instead of one") }
        let known = Set(pages.map(\.key))
        for page in pages {
            if let previous = page.previous, !known.contains(previous) {
                note("page \(page.key) of group \"\(group)\" follows \(previous), which does not exist")
            }
        }
        let successors = Dictionary(grouping: pages.filter { $0.previous != nil }, by: { $0.previous })
        for (previous, followers) in successors where followers.count > 1 {
            note("group \"\(group)\" has \(followers.count) pages after \(previous ?? "")")
        }
        var reached: Set<String> = []
        var next = heads.first
        while let page = next, reached.insert(page.key).inserted { next = successors[page.key]?.first }
        if heads.count == 1, reached.count < pages.count {
            note("\(pages.count - reached.count) pages of group \"\(group)\" cannot be reached from its first page")
        }
    }

    /// Counts, duplicates, the map against the pages both ways, and the rows themselves.
    private mutating func checkRowids(_ pages: [Page]) throws {
        var pageOfRowid: [Int64: String] = [:]
        for page in pages {
            if page.byteCount % 8 != 0 || page.byteCount / 8 != page.count {
                note("page \(page.key) counts \(page.count) rows and has \(page.byteCount) bytes, 8 for each row")
            }
            for rowid in page.rowids {
                if let other = pageOfRowid.updateValue(page.key, forKey: rowid) {
                    note("row \(rowid) stands twice: in pages \(other) and \(page.key)")
                }
            }
        }
        let map = try readMap()
        for (rowid, page) in pageOfRowid.sorted(by: { $0.key < $1.key }) where map[rowid] != page {
            note("row \(rowid) stands in page \(page), but the map says \(map[rowid] ?? "nothing")")
        }
        for (rowid, page) in map.sorted(by: { $0.key < $1.key }) where pageOfRowid[rowid] == nil {
            note("the map says that row \(rowid) stands in page \(page), where it does not")
        }
        // A stale view is known to be behind the rows; it is rebuilt when it is next registered.
        guard !isStale else { return }
        for rowid in pageOfRowid.keys.sorted() where try store.key(forRowid: rowid) == nil {
            note("row \(rowid) is in the view, but not in the database")
        }
    }

    private func readMap() throws -> [Int64: String] {
        let entries = try store.all("SELECT \"rowid\", \"pageKey\" FROM \(table("map"))") {
            ($0.int64(at: 0), $0.text(at: 1) ?? "")
        }
        return Dictionary(entries, uniquingKeysWith: { first, _ in first })
    }

    private func hasTable(_ suffix: String) throws -> Bool { try store.hasTable("view_\(name)_\(suffix)") }

    private func table(_ suffix: String) -> String { Store.quoted("view_\(name)_\(suffix)") }

    private mutating func note(_ problem: String) { found.append("view \"\(name)\": \(problem)") }
}
