import FileEngine
import ListChanges
import ViewPageKeys

/// The groups of a view, and of each of its rows, for many rows while nothing changes the view.
///
/// All pages are read once, and up to ``keptLimit`` rows are kept with their groups, sorted by their rowids: an eighth of a microsecond a row,
/// and almost nothing if they are asked for in ascending order. Of a larger view only the pages are kept, and its map is read in step with rowids that
/// ascend: a quarter of a microsecond a row, where ``ViewPages/group(ofRowid:)`` takes one.
final class RowGroups {
    struct Group: Sendable {
        let name: String
        /// The number of its rows, at least 1.
        let count: Int
        let first: Int64
        let last: Int64
    }

    private struct Row {
        let rowid: Int64
        let group: Int32
    }

    /// The groups that have rows, by their numbers.
    let all: [Group]
    private let pages: ViewPages
    /// Sorted by rowid; nil for a large view.
    private let rows: [Row]?
    /// Where the row after the last one that was found is.
    private var next = 0
    private let numbersOfPages: [PageName: Int32]
    /// Nil for a view whose map is in memory, or has changes that are not stored yet.
    private let map: MapReader?

    /// The most rows that are kept, at 16 bytes each. Tests set another number.
    @TaskLocal static var keptLimit = 4 << 20

    init(_ pages: ViewPages) throws {
        var (groups, rows, numbers) = ([Group](), [Row](), [PageName: Int32]())
        let keepsRows = pages.state.groups.weight <= Self.keptLimit
        try pages.state.groups.forEach { name, list in
            guard list.weight > 0 else { return true }
            let number = Int32(groups.count)
            var (first, last, left) = (Int64?.none, Int64?.none, list.weight)
            try list.pages.forEach { _, page in
                left -= page.count
                if !keepsRows { numbers[page.content.name] = number }
                guard page.count > 0, keepsRows || first == nil || left == 0 else { return true }
                let rowids = try pages.rows(of: page)
                if keepsRows { for rowid in rowids { rows.append(Row(rowid: rowid, group: number)) } }
                first = first ?? rowids.first
                last = rowids.last
                return true
            }
            guard let first, let last else {
                throw YapDatabaseError.damagedView(pages.name, "the pages of the group \"\(name)\" have no rows")
            }
            groups.append(Group(name: name, count: list.weight, first: first, last: last))
            return true
        }
        rows.sort { $0.rowid < $1.rowid }
        (all, self.rows, numbersOfPages, self.pages) = (groups, keepsRows ? rows : nil, numbers, pages)
        let isStored = pages.isPersistent && !pages.isCleared && pages.mapChanges.isEmpty
        map = isStored && !keepsRows ? try pages.store.mapReader(view: pages.name) : nil
    }

    /// The number of the group of a row; nil if it is not in the view.
    func number(ofRowid rowid: Int64) throws -> Int? {
        guard let rows else { return try map(rowid).map { try number(ofPage: $0, rowid) } }
        if next == rows.count || rows[next].rowid != rowid {
            let isAfter = next == 0 || rows[next - 1].rowid < rowid
            // Most of those that are not in the view come between two that are.
            if isAfter, next == rows.count || rows[next].rowid > rowid { return nil }
            next = rows.indices.partitionPoint { rows[$0].rowid >= rowid }
            guard next < rows.count, rows[next].rowid == rowid else { return nil }
        }
        defer { next += 1 }
        return Int(rows[next].group)
    }

    private func map(_ rowid: Int64) throws -> PageName? {
        if let map { try map.page(ofRowid: rowid) } else { try pages.page(ofRowid: rowid) }
    }

    private func number(ofPage page: PageName, _ rowid: Int64) throws -> Int {
        if let number = numbersOfPages[page] { return Int(number) }
        throw YapDatabaseError.damagedView(pages.name, "row \(rowid) is on a page that does not exist")
    }
}
