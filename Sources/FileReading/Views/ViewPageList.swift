import FileEngine
import ListChanges
import SQLiteBridge
import ViewPageKeys

/// The groups of a view and the pages of each, in one state of the file: everything but the rows themselves.
///
/// Takes about 12 bytes a page.
package struct ViewPageList: Sendable {
    /// One group, with its pages in order.
    package struct Group: Sendable {
        package let name: String
        /// The rowids of the pages in the page table.
        var pages: [Int64] = []
        /// The number of rows up to the end of each page.
        var ends: [Int] = []

        package var count: Int { ends.last ?? 0 }

        mutating func append(page: Int64, count: Int) {
            pages.append(page)
            ends.append(self.count + count)
        }

        /// Returns the page that holds a place, and the place at which it begins.
        func page(at place: Int) -> (index: Int, start: Int) {
            let index = ends.partition { $0 <= place }
            return (index, index == 0 ? 0 : ends[index - 1])
        }
    }

    package let view: String
    /// In the order of their names.
    package internal(set) var groups: [Group] = []
    /// The first few damages, in sentences. `groups` has what could be read nevertheless.
    package internal(set) var damage: [String] = []
    private static let damageLimit = 20

    init(view: String) { self.view = view }

    package func group(_ name: String) -> Group? {
        let index = groups.partition { $0.name.precedes(name) }
        return index < groups.count && groups[index].name.hasSameBytes(as: name) ? groups[index] : nil
    }

    mutating func damaged(_ sentence: String) {
        if damage.count < Self.damageLimit { damage.append(sentence) }
    }
}

extension ViewPageList {
    /// The most pages to read: a hundred million rows at fifty a page.
    private static let pageLimit = 2_000_000
    /// The most pages to reserve capacity for.
    private static let expectedLimit: Int64 = 500_000
    /// The pages read in one portion, in some milliseconds, so that other background work can run in between.
    private static let portion = 4_000

    /// Reads the headers of the pages, without their rows, and chains them. O(p) for p pages: a tenth of a second for
    /// 200,000.
    ///
    /// Damage is reported and skipped: pages that no chain reaches come after those of the chains, in table order.
    /// - Throws: ``YapDatabaseError`` if no page can be read.
    init(view: String, _ snapshot: FileSnapshot) throws {
        self.init(view: view)
        var chains = PageChains()
        var pages: [Header] = []
        try readHeaders(&chains, &pages, snapshot)
        groups = chains.groups.map { Group(name: $0) }
        let order = chains.order { damaged("\($0.prefix(1).uppercased())\($0.dropFirst()).") }
        for index in order {
            groups[pages[index].group].append(page: pages[index].rowid, count: pages[index].count)
        }
        groups.sort { $0.name.precedes($1.name) }
    }

    /// What is kept of a page in ``PageChains``.
    private struct Header {
        let rowid: Int64
        let group: Int
        let count: Int
    }

    private mutating func readHeaders(
        _ chains: inout PageChains, _ pages: inout [Header], _ snapshot: FileSnapshot
    ) throws {
        let table = "view_\(view)_page".quotedSQL
        // The greatest rowid is an upper bound of their number, unless rowids were chosen explicitly.
        let greatest = try? snapshot.work { try $0.first("SELECT max(rowid) FROM \(table)") { $0.int64(at: 0) } }
        chains.expect(pages: Int(min(max(0, greatest ?? 0), Self.expectedLimit)))
        // The length of a blob is stored before it, so this reads no blob.
        let columns = #"""
            , "pageKey", "group", "prevPageKey", "count", CASE typeof("data") WHEN 'blob' THEN length("data") ELSE -1 END
            """#
        var walk = TableWalk()
        while !walk.isOver {
            guard chains.count < Self.pageLimit else {
                return damaged("The view has more than \(Self.pageLimit) pages; the others are not shown.")
            }
            try snapshot.work {
                try walk.visit(Self.portion, of: table, columns, $0) {
                    read($0, &chains, &pages, maxBytes: snapshot.bytes)
                }
            }
        }
        guard let damage = walk.damage else { return }
        if pages.isEmpty { throw damage }
        damaged("Some pages of the view cannot be read. \(damage.sentence)")
    }

    private mutating func read(
        _ statement: SQLiteStatement, _ chains: inout PageChains, _ pages: inout [Header], maxBytes: Int
    ) {
        // The length is only what the record claims.
        let said = Int(statement.int64(at: 5))
        let bytes = said > maxBytes ? -1 : said
        let count = max(0, bytes) / 8
        if bytes < 0 || bytes % 8 != 0 || Int64(count) != statement.int64(at: 4) {
            damaged(
                "The page \(Self.name(statement, 1)) should hold \(statement.int64(at: 4)) rows and has "
                    + (bytes < 0 ? "no bytes." : "\(bytes) bytes."))
        }
        let group = statement.withBytes(at: 2) { chains.group(named: $0) }
        let isFirst = statement.withBytes(at: 3) { $0.isEmpty }
        pages.append(Header(rowid: statement.int64(at: 0), group: group, count: count))
        let previous = isFirst ? nil : PageName(statement, at: 3)
        if !chains.add(PageName(statement, at: 1), after: previous, inGroup: group) {
            damaged("Two pages have the key \(Self.name(statement, 1)).")
        }
    }

    private static func name(_ statement: SQLiteStatement, _ column: Int) -> String {
        String((statement.text(at: column) ?? "").prefix(40))
    }
}
