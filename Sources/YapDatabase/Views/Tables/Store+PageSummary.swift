import FileEngine
import ListChanges
import SQLiteBridge
import ViewPageKeys

/// The summary of a view's pages: two values of `yap2`, which other programs ignore and drop with the view.
///
/// `pages` is a blob, a ``PageSummary``, written when a database is closed. `pagesSnapshot` is the number of the commit for whose state
/// it holds. A commit that writes a row gives the state another number, whichever program makes it. A commit that writes nothing gives
/// summaries its number.
extension Store {
    private static let (summaryKey, numberKey) = ("pages", "pagesSnapshot")
    /// Bytes for which there is room in memory whatever the file has.
    private static let largeSummary = 16 << 20

    /// The summary of a view's pages in the state that the transaction reads; nil if the file has none for it.
    func pageSummary(ofView view: String) throws -> PageSummary? {
        try foundSummary(ofView: view).flatMap(pageSummary)
    }

    /// The same for a view that has had the same pages since the state in which a summary was found. Mostly it is where it was.
    func pageSummary(ofView view: String, _ found: FoundSummary) throws -> PageSummary? {
        guard try summarizedNumber(view, from: found.number) != nil else { return nil }
        // A vacuum may have put it elsewhere.
        return try (try? pageSummary(found)) ?? foundSummary(ofView: view, from: found.number).flatMap(pageSummary)
    }

    /// The summary that was found; nil if it is damaged, or if another value is there now.
    func pageSummary(_ found: FoundSummary) throws -> PageSummary? {
        // Not as the column of a statement, which would hold another copy.
        let bytes = try handle.bytes(table: "yap2", column: "data", rowid: found.rowid, offset: 0, count: found.size)
        return bytes.starts(with: found.header) ? PageSummary(bytes) : nil
    }

    /// Looks for a summary that claims to be of the state that the transaction reads, and reads its header.
    /// - Parameter number: the view has had the same pages since the state of this number, so that a summary of a later one claims it, too.
    func foundSummary(ofView view: String, from number: Int = .max) throws -> FoundSummary? {
        guard let summarized = try summarizedNumber(view, from: number) else { return nil }
        let place = try first(
            #"SELECT rowid, length("data") FROM "yap2" WHERE "extension" = ? AND "key" = ? AND typeof("data") = 'blob'"#,
            bind: {
                try $0.bind(view, at: 1)
                try $0.bind(Self.summaryKey, at: 2)
            }, read: { (rowid: $0.int64(at: 0), size: Int($0.int64(at: 1))) })
        guard let (rowid, size) = place else { return nil }
        // A damaged record may claim more bytes than the file has.
        if size > Self.largeSummary {
            guard try size <= pragma("page_count") * pragma("page_size") else { return nil }
        }
        let header = try handle.bytes(
            table: "yap2", column: "data", rowid: rowid, offset: 0, count: PageSummary.headerSize)
        let greatest = try greatestRowidOfPages(view: view)
        return PageSummary.pages(ofHeader: header, size: size, greatestRowid: greatest).map {
            FoundSummary(number: summarized, pages: $0, size: size, header: header, rowid: rowid)
        }
    }

    /// The number of the state of which the summary is, if that is the state that the transaction reads or one between it and another.
    private func summarizedNumber(_ view: String, from number: Int) throws -> Int? {
        guard case .integer(let summarized) = try yapValue(extension: view, key: Self.numberKey) else { return nil }
        let present = try snapshotNumber()
        return min(number, present)...present ~= Int(summarized) ? Int(summarized) : nil
    }

    func removePageSummary(ofView view: String) throws {
        for key in [Self.summaryKey, Self.numberKey] { try removeYapValue(extension: view, key: key) }
    }

    /// From the commit on, the summary holds for no state.
    func endPageSummary(ofView view: String) throws { try removeYapValue(extension: view, key: Self.numberKey) }

    /// Makes the summaries of the state before a commit those of the state after it. Only in a transaction that has written nothing.
    func renewPageSummaries(from before: Int, to after: Int) throws {
        try run(#"UPDATE "yap2" SET "data" = ? WHERE "key" = ? AND "data" = ?"#) {
            try $0.bind(Int64(after), at: 1)
            try $0.bind(Self.numberKey, at: 2)
            try $0.bind(Int64(before), at: 3)
        }
    }
}

/// A summary in the file that claims to be of the present state. Only its header was read.
struct FoundSummary {
    /// That of the commit for whose state it was written.
    let number: Int
    let pages: Int
    /// Its bytes.
    fileprivate let size: Int
    fileprivate let header: [UInt8]
    fileprivate let rowid: Int64
}

/// What views give the file when it is closed.
extension Store {
    /// Whether the file has a summary of a view for the state of a number, perhaps one that cannot be read.
    func isSummarized(_ view: String, at number: Int) throws -> Bool {
        try yapValue(extension: view, key: Self.numberKey) == .integer(Int64(number))
    }

    /// Stores the summary of a view in the state of a number.
    func set(_ summary: PageSummaryWriter, ofView view: String, number: Int) throws {
        let bytes = try summary.bytes(greatestRowid: greatestRowidOfPages(view: view))
        guard bytes.count < valueLimit else { return }
        func store(_ sql: String) throws {
            try bytes.withUnsafeBytes { bytes in
                try run(sql) {
                    try $0.bind(borrowing: bytes, at: 1)
                    try $0.bind(view, at: 2)
                    try $0.bind(Self.summaryKey, at: 3)
                }
            }
        }
        try store(#"UPDATE "yap2" SET "data" = ? WHERE "extension" = ? AND "key" = ?"#)
        if handle.changes == 0 { try store(#"INSERT INTO "yap2" ("data", "extension", "key") VALUES (?, ?, ?)"#) }
        try setNumber(ofSummary: view, number)
    }

    /// Makes the summary that the file has of a view that of the state of a number, in which the view has the same pages.
    func setNumber(ofSummary view: String, _ number: Int) throws {
        try setYapValue(.integer(Int64(number)), extension: view, key: Self.numberKey)
    }
}

/// Compares the summary of a view's pages with the pages.
struct SummarizedPages {
    private struct Page {
        let name: PageName
        let group: Int
        let count: Int64
        let first: Int64?
    }

    /// Nil if it is damaged.
    private let summary: PageSummary?
    private var pages: [Page] = []

    /// Nil if the file has no summary that claims to be of the present state. Any other is never used.
    init?(_ store: Store, view: String) throws {
        guard let found = try store.foundSummary(ofView: view) else { return nil }
        summary = try store.pageSummary(found)
    }

    /// Adds a page, in the order of the table. Where its record is need not be compared: a reader of it compares the key.
    mutating func add(_ name: PageName, group: Int, count: Int64, first: Int64?) {
        pages.append(Page(name: name, group: group, count: count, first: first))
    }

    /// - Parameters:
    ///   - order: the indexes of the pages in the order of the list.
    ///   - groups: the names of the groups.
    func compare(_ order: [Int], _ groups: [String], _ notes: inout ProblemNotes) {
        guard let summary else { return notes.add("the summary of its pages is damaged, so that it is not used") }
        var places = [[Int]](repeating: [], count: groups.count)
        for index in order { places[pages[index].group].append(index) }
        let ordered = groups.indices.sorted { groups[$0].precedes(groups[$1]) }
        let summarizedGroups = (0..<summary.groupCount).map(summary.group(ofRank:))
        let haveSameNames = ordered.elementsEqual(summarizedGroups) { groups[$0].hasSameBytes(as: $1.name) }
        guard haveSameNames, pages.count == summary.count else {
            return notes.add(
                "the summary of its pages has \(summary.count) pages in \(summary.groupCount) groups, where the view has "
                    + "\(pages.count) in \(groups.count), or the groups have other names")
        }
        for (group, summarized) in zip(ordered, summarizedGroups) {
            let name = groups[group].debugDescription
            guard places[group].count == summarized.pages.count else {
                notes.add(
                    "the summary of its pages has \(summarized.pages.count) pages for the group \(name), which has "
                        + "\(places[group].count)")
                continue
            }
            for (index, place) in zip(places[group], summarized.pages) {
                let page = pages[index]
                if page.name != summary.name(at: place) {
                    notes.add(
                        "the summary of its pages has another page at place \(place - summarized.pages.lowerBound) of the group "
                            + name)
                } else if page.count != summary.rows(at: place) {
                    notes.add(
                        "the summary of its pages gives page \(page.name.uuidText) \(summary.rows(at: place)) rows")
                } else if let first = summary.first(at: place), first != page.first {
                    notes.add(
                        "the summary of its pages lets page \(page.name.uuidText) begin with row \(first)")
                }
            }
        }
    }
}
