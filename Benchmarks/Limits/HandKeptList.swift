import ByteCoders
import Foundation
import ListChanges

/// Moves rows of a list of items as a program would that keeps it by hand, with SQLite alone, in the tables of our view: it encodes the
/// row, finds it by its key, finds its place by comparing, and writes what ours writes; then another connection begins to read the new state.
///
/// What is near the limit for a list of this format. It does less than ours: it knows the number of each page's first row from the start,
/// cuts and joins no pages, and has no other views, connections or processes to tell. What changed it works out as ours does.
final class HandKeptList {
    private struct Page {
        let key: String
        let record: Int64
        var count: Int
        /// The number of the first row.
        var first: Double
    }

    private let writer: RawHandle
    private let reader: RawHandle
    private let rowOfKey: RawStatement
    private let dataOfRow: RawStatement
    private let pageOfRow: RawStatement
    private let rowsOfPage: RawStatement
    private let setRow: RawStatement
    private let setPage: RawStatement
    private let setMap: RawStatement
    private let setNumber: RawStatement
    private let readNumber: RawStatement

    private var groups: [String: [Page]] = [:]
    private var places: [String: (group: String, page: Int)] = [:]
    /// The numbers of rows that were compared or moved.
    private var numbers: [Int64: Double] = [:]
    /// Of the commit that the reader sees.
    private var number: Int64 = 0
    private var mappings: Mappings

    /// - Parameter url: a file of ours that nothing else has open.
    init(_ url: URL, view: String) throws {
        let (pages, map) = ("\"view_\(view)_page\"", "\"view_\(view)_map\"")
        writer = try RawHandle(url)
        reader = try RawHandle(url)
        rowOfKey = try writer.prepare(#"SELECT "rowid" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        dataOfRow = try writer.prepare(#"SELECT "data" FROM "database2" WHERE "rowid" = ?"#)
        pageOfRow = try writer.prepare("SELECT \"pageKey\" FROM \(map) WHERE \"rowid\" = ?")
        rowsOfPage = try writer.prepare("SELECT \"data\" FROM \(pages) WHERE \"rowid\" = ?")
        setRow = try writer.prepare(#"UPDATE "database2" SET "data" = ? WHERE "rowid" = ?"#)
        setPage = try writer.prepare("UPDATE \(pages) SET \"count\" = ?, \"data\" = ? WHERE \"rowid\" = ?")
        setMap = try writer.prepare("UPDATE \(map) SET \"pageKey\" = ? WHERE \"rowid\" = ?")
        setNumber = try writer.prepare(#"UPDATE "yap2" SET "data" = ? WHERE "extension" = '' AND "key" = 'snapshot'"#)
        readNumber = try reader.prepare(#"SELECT "data" FROM "yap2" WHERE "extension" = '' AND "key" = 'snapshot'"#)
        mappings = Mappings(groups: (0..<Item.groups).map { "group \($0)" })
        try loadPages(pages)
        mappings.update(groups: nil, counts: groups.mapValues { $0.reduce(0) { $0 + $1.count } })
        try beginRead()
    }

    private func loadPages(_ table: String) throws {
        try Self.forEachPage(in: table, of: writer) { key, record, group, rows in
            places[key] = (group, groups[group]?.count ?? 0)
            groups[group, default: []].append(
                Page(key: key, record: record, count: rows.count, first: try read(rows[0])))
        }
    }

    /// Calls the body with the pages of each group in order.
    private static func forEachPage(
        in table: String, of file: RawHandle,
        _ body: (_ key: String, _ record: Int64, _ group: String, _ rows: [Int64]) throws -> Void
    ) throws {
        var followers: [String: [(key: String, record: Int64, group: String, rows: [Int64])]] = [:]
        let fields = #""pageKey", rowid, "group", "data", coalesce("prevPageKey", '')"#
        try file.prepare("SELECT \(fields) FROM \(table)").forEach {
            followers[$0.text(4), default: []].append(($0.text(0), $0.int64(1), $0.text(2), $0.data(3).rowids))
        }
        for head in followers[""] ?? [] {
            var next: (key: String, record: Int64, group: String, rows: [Int64])? = head
            while let page = next {
                try body(page.key, page.record, page.group, page.rows)
                next = followers[page.key]?.first
            }
        }
    }

    /// The rows of each group of a view, in order.
    static func rows(in url: URL, view: String) throws -> [String: [Int64]] {
        var groups: [String: [Int64]] = [:]
        try forEachPage(in: "\"view_\(view)_page\"", of: RawHandle(url)) { _, _, group, rows in
            groups[group, default: []] += rows
        }
        return groups
    }

    func move(_ key: String, to item: Item) throws -> Outcome {
        let rowKey = RowKey(collection: Item.collection, key: key)
        var log: [RawOperation] = []
        try writer.inTransaction {
            let bytes = try item.encoded()
            guard let rowid = try rowOfKey.first(Item.collection, key, read: { $0.int64(0) }),
                let former = try pageOfRow.first(rowid, read: { $0.text(0) }), let (group, old) = places[former]
            else { throw RawError("The row \(key) is not in the list.") }
            try setRow.run(bytes, rowid)
            let new = page(for: item.rank, in: groups[group]!)
            var rows = try rows(of: groups[group]![old])
            let index = rows.firstIndex(of: rowid)!
            rows.remove(at: index)
            log.append(.deleteRow(group: group, index: rowsBefore(old, in: group) + index, key: rowKey))
            groups[group]![old].count -= 1
            if new != old {
                try write(rows, group, old)
                rows = try self.rows(of: groups[group]![new])
            }
            let place = try self.index(of: item.rank, in: rows, group, new)
            rows.insert(rowid, at: place)
            log.append(.insertRow(group: group, index: rowsBefore(new, in: group) + place, key: rowKey))
            groups[group]![new].count += 1
            numbers[rowid] = item.rank
            try write(rows, group, new)
            if new != old { try setMap.run(groups[group]![new].key, rowid) }
            try setNumber.run(number + 1)
        }
        try reader.execute("COMMIT")
        try beginRead()
        let group = log[0].group
        let (after, outcome) = try mappings.advanced(
            by: log, counts: [group: rowsBefore(groups[group]!.count, in: group)])
        mappings = after
        return outcome
    }

    private func rowsBefore(_ page: Int, in group: String) -> Int {
        groups[group]![..<page].reduce(0) { $0 + $1.count }
    }

    private func beginRead() throws {
        try reader.execute("BEGIN")
        number = try readNumber.first { $0.int64(0) } ?? 0
    }

    private func page(for rank: Double, in pages: [Page]) -> Int {
        var (low, high) = (0, pages.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if rank < pages[middle].first { high = middle } else { low = middle }
        }
        return low
    }

    /// Finds the place by guessing it from the numbers around, as ours does.
    private func index(of rank: Double, in rows: [Int64], _ group: String, _ page: Int) throws -> Int {
        let pages = groups[group]!
        var (low, high) = (0, rows.count)
        var least = pages[page].first
        var most = page + 1 < pages.count ? pages[page + 1].first : Double(1 << 52)
        if rank < least { return 0 }
        while low < high {
            let share = most > least ? min(max((rank - least) / (most - least), 0), 1) : 0.5
            let middle = min(low + Int((share * Double(high - low)).rounded()), high - 1)
            let number = try known(rows[middle])
            if rank < number { (high, most) = (middle, number) } else { (low, least) = (middle + 1, number) }
        }
        return low
    }

    private func known(_ rowid: Int64) throws -> Double {
        if let number = numbers[rowid] { return number }
        let number = try read(rowid)
        numbers[rowid] = number
        return number
    }

    /// Reads one field of a row.
    private func read(_ rowid: Int64) throws -> Double {
        var rank: Double?
        _ = try dataOfRow.first(rowid) { row in
            row.withBytes(0) { bytes in
                ByteCoding.readFields(ofPropertyList: bytes) { rank = try? $0.value(Double.self, of: "rank") }
            }
        }
        guard let rank else { throw RawError("Row \(rowid) has no number.") }
        return rank
    }

    private func rows(of page: Page) throws -> [Int64] { try rowsOfPage.first(page.record) { $0.data(0).rowids } ?? [] }

    private func write(_ rows: [Int64], _ group: String, _ page: Int) throws {
        guard let first = rows.first else { throw RawError("A page of the list is empty.") }
        groups[group]![page].first = try known(first)
        try setPage.run(
            Int64(rows.count), rows.withUnsafeBytes { Data($0) }, groups[group]![page].record)
    }
}
