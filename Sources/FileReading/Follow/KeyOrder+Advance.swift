import SQLiteBridge
import FileEngine

extension KeyOrder {
    /// A block with more rows is divided.
    private static let maxRows = stride * 3 / 2

    /// Returns the order in a newer state. Counts only the blocks in which something may have changed.
    /// - Parameters:
    ///   - fresh: the order in the newer state, with nothing counted.
    ///   - store: of the newer state.
    /// - Returns: nil if counting all of it costs no more.
    func advanced(to fresh: KeyOrder, _ touched: TouchedKeys, _ table: FileSchema.Table, _ store: Store) throws
        -> KeyOrder?
    {
        let old = anchors
        guard isByteOrder, fresh.isByteOrder, old.count.known > Self.maxRows else { return nil }
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

    /// Returns the blocks of the older state in which entries may have been inserted or removed because of a page.
    private func blocks(_ page: TouchedKeys.Page, _ old: KeyAnchors, _ store: Store) throws -> ClosedRange<Int> {
        let low = try neighbour(of: page.first, isBefore: true, page.margin, store).map(old.block) ?? 0
        let high = try neighbour(of: page.last, isBefore: false, page.margin, store).map(old.block) ?? old.keys.count
        return low...max(low, high)
    }

    /// Returns the key a number of entries before or after an entry, in this collection; nil if there are not so many.
    private func neighbour(
        of entry: TouchedKeys.Entry, isBefore: Bool, _ margin: Int, _ store: Store
    ) throws -> StoredText? {
        // Outside the collection, all of it is on one side of the entry.
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

    /// Counts the rows from one key up to another and adds anchors for them.
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
        for offset in Swift.stride(from: Self.stride, to: count > Self.maxRows ? count : 0, by: Self.stride) {
            let key = try store.first(
                #"SELECT "key" \#(body) ORDER BY "key" LIMIT 1 OFFSET \#(offset)"#, bind: bind,
                read: { StoredText($0, at: 0) })
            if let key { anchors.append(key, at: place + offset) }
        }
        place += count
    }
}
