import SQLiteBridge
import FileEngine

/// One group of a view, in the order of its pages. Rowids are read from the pages on demand.
package final class PageOrder: RowSource {
    package let group: ViewPageList.Group
    private let pageTable: String
    private let mapTable: String
    private let view: String
    private let hasMap: Bool
    /// The position of each page, by its row in the page table; computed on first use.
    private let positions = Locked<[Int64: Int32]?>(nil)

    init(_ group: ViewPageList.Group, view: String, _ schema: FileSchema) {
        self.group = group
        self.view = view
        pageTable = "view_\(view)_page"
        mapTable = "view_\(view)_map"
        hasMap = schema.tables[mapTable]?.has("pageKey") ?? false
    }

    package var count: RowCount { RowCount(group.count) }

    package func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64] {
        var places = places.clamped(to: 0..<group.count)
        var rowids: [Int64] = []
        rowids.reserveCapacity(places.count)
        while !places.isEmpty {
            let (index, start) = group.page(at: places.lowerBound)
            let end = min(places.upperBound, group.ends[index])
            rowids += try read(page: index, in: places.lowerBound - start..<end - start, store)
            places = end..<places.upperBound
        }
        return rowids
    }

    /// Looks up the row in the view's map. Returns nil also if the map is wrong about the row.
    package func place(of rowid: Int64, _ store: Store) throws -> Int? {
        guard hasMap, let page = try pageRow(of: rowid, store), let index = position(ofPage: page) else { return nil }
        let start = index == 0 ? 0 : group.ends[index - 1]
        let rowids = try read(page: index, in: 0..<group.ends[index] - start, store)
        return rowids.firstIndex(of: rowid).map { start + $0 }
    }

    /// Returns the row of the page table that the map names for a row.
    private func pageRow(of rowid: Int64, _ store: Store) throws -> Int64? {
        try store.first(
            """
            SELECT p.rowid FROM \(mapTable.quotedSQL) AS m JOIN \(pageTable.quotedSQL) AS p ON p."pageKey" = m."pageKey" \
            WHERE m.rowid = ?
            """, bind: { try $0.bind(rowid, at: 1) }, read: { $0.int64(at: 0) })
    }

    private func position(ofPage page: Int64) -> Int? {
        positions.withLock { positions in
            let known =
                positions
                ?? Dictionary(group.pages.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
            positions = known
            return known[page].map(Int.init)
        }
    }

    /// Reads a part of a page without the rest: a damaged page may have any size.
    private func read(page index: Int, in places: Range<Int>, _ store: Store) throws -> [Int64] {
        let bytes = try store.handle.bytes(
            table: pageTable, column: "data", rowid: group.pages[index], offset: places.lowerBound * 8,
            count: places.count * 8)
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self))
            }
        }
    }
}
