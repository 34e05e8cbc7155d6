import SQLiteBridge
import FileEngine

extension KeyOrder {
    /// A block that has more rows is divided.
    private static let mostRows = stride * 3 / 2

    /// The order in a newer state: counted are the blocks in which something may have changed, and nothing else.
    /// - Parameters:
    ///   - fresh: the order in the newer state, of which nothing needs to be known.
    ///   - store: of the newer state.
    /// - Returns: nil where to count all of it is as good.
    func advanced(to fresh: KeyOrder, _ touched: TouchedKeys, _ table: FileSchema.Table, _ store: Store) throws
        -> KeyOrder?
    {
        let old = anchors
        guard isByteOrder, fresh.isByteOrder, old.count.known > Self.mostRows else { return nil }
        var dirty: Set<Int> = []
        for page in touched.pages {
            dirty.formUnion(try fresh.blocks(page, old, store))
            if dirty.count > old.blocks / 2 { return nil }
        }
        var new = KeyAnchors()
        var place = 0
        for block in 0..<old.blocks {
            let (start, end) = (block == 0 ? nil : old.keys[block - 1], block < old.keys.count ? old.keys[block] : nil)
            if dirty.contains(block) {
                try fresh.add(from: start, to: end, at: &place, to: &new, store)
            } else {
                if let start { new.append(start, at: place) }
                place += old.rows(inBlock: block)
            }
        }
        new.count = RowCount(place, isComplete: old.count.isComplete)
        if !old.count.isComplete, let last = old.keys.last {
            new.append(last, at: place)
            new.count.known += 1
        }
        return fresh.with(new, table)
    }

    /// The blocks of the older state in which entries may have come or gone because of a page.
    private func blocks(_ page: TouchedKeys.Page, _ old: KeyAnchors, _ store: Store) throws -> ClosedRange<Int> {
        let low = try neighbour(of: page.first, isBefore: true, page.margin, store).map(old.block) ?? 0
        let high = try neighbour(of: page.last, isBefore: false, page.margin, store).map(old.block) ?? old.keys.count
        return low...max(low, high)
    }

    /// The key so many entries in front of an entry or behind it, in this collection; nil where there are not so many.
    private func neighbour(
        of entry: TouchedKeys.Entry, isBefore: Bool, _ margin: Int, _ store: Store
    ) throws -> StoredText? {
        // Behind the whole collection, or in front of it, it is the whole collection that is on one side.
        let isOutside = isBefore ? entry.collection < collection : collection < entry.collection
        if isOutside { return nil }
        let isInside = entry.collection == collection
        let condition = isInside ? "AND \"key\" \(isBefore ? "<" : ">") ?2" : ""
        return try store.first(
            """
            SELECT "key" FROM \(table) WHERE "collection" = ?1 \(condition) ORDER BY "key" \(isBefore ? "DESC" : "ASC") \
            LIMIT 1 OFFSET \(margin)
            """,
            bind: {
                try collection.bind(to: $0, at: 1)
                if isInside { try entry.key.bind(to: $0, at: 2) }
            }, read: { StoredText($0, at: 0) })
    }

    /// Counts the rows from one key up to another, and adds anchors for them.
    private func add(
        from start: StoredText?, to end: StoredText?, at place: inout Int, to anchors: inout KeyAnchors, _ store: Store
    ) throws {
        let from = start == nil ? "" : #"AND "key" >= ?2"#
        let to = end == nil ? "" : #"AND "key" < ?3"#
        let body = #"FROM \#(table) WHERE "collection" = ?1 \#(from) \#(to)"#
        func bind(_ statement: SQLiteStatement) throws {
            try collection.bind(to: statement, at: 1)
            try start?.bind(to: statement, at: 2)
            try end?.bind(to: statement, at: 3)
        }
        let count = try store.first("SELECT count(*) \(body)", bind: bind, read: { Int($0.int64(at: 0)) }) ?? 0
        // An empty block needs no anchor.
        if let start, count > 0 { anchors.append(start, at: place) }
        for offset in Swift.stride(from: Self.stride, to: count > Self.mostRows ? count : 0, by: Self.stride) {
            let key = try store.first(
                #"SELECT "key" \#(body) ORDER BY "key" LIMIT 1 OFFSET \#(offset)"#, bind: bind,
                read: { StoredText($0, at: 0) })
            if let key { anchors.append(key, at: place + offset) }
        }
        place += count
    }
}
