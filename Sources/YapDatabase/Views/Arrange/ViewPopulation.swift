import Foundation
import ListChanges

/// Arranges rows in the order of a view's blocks: all rows of the database, or those of the view.
///
/// As long as the rows fit into a batch, they are read and decoded once and sorted in memory. Larger databases are
/// sorted batch by batch and then merged. Of a sorted batch 16 bytes a row are kept, the rowid and the prefix; rows without a
/// prefix, or with equal ones, are read and decoded a second time. The rows of a view that is declared by fields are decoded on all
/// processors, and where one field decides the order, nothing else of them is kept.
struct ViewPopulation {
    /// The most rows, and the most stored bytes, that a batch holds decoded at once.
    struct Limit {
        var rows = 131_072
        var bytes = 32 << 20
    }

    let view: String
    let allowed: YapWhitelistBlacklist?
    let transaction: YapDatabaseReadTransaction
    let pages: ViewPages
    let arrangement: Arrangement
    var limit = Limit()
    /// Counts three units for each row: read, sorted, stored. Cancelling takes effect between any two units, but not
    /// while a batch is sorted.
    var progress: Progress?

    /// The sorted batches of each group.
    private var runs: [String: [SortedRun]] = [:]
    private var batch: [String: [RowContent]] = [:]
    private var numbered: [String: NumberedRows] = [:]
    private var placer: RowPlacer?
    private var held = Limit(rows: 0, bytes: 0)
    /// The present places of the rows, by rowid, where rows that the block calls equal keep them.
    var ranks: [RankedRow] = []
    private var tally = Tally(nil) { 0 }

    init(
        view: String, allowed: YapWhitelistBlacklist?, transaction: YapDatabaseReadTransaction, pages: ViewPages,
        arrangement: Arrangement, limit: Limit = Limit(), progress: Progress? = nil
    ) {
        self.view = view
        self.allowed = allowed
        self.transaction = transaction
        self.pages = pages
        self.arrangement = arrangement
        self.limit = limit
        self.progress = progress
    }

    /// Fills a view from all rows of the database.
    /// - Precondition: the view is empty.
    func fill() throws {
        var work = self
        try work.readAllRows()
        try work.fillGroups()
    }

    /// Fills a view from the rows that were added.
    mutating func fillGroups() throws {
        let pages = pages
        var map = FilledMap(limit: 8 * limit.rows)
        try end { group, rows, tally in try pages.fill(group, with: rows, &map, &tally) }
        try pages.write(&map, &tally)
    }

    /// Calls the body with each group, in the order of their names, and its rows in order.
    func arrangeAllRows(_ body: (String, ArrangedRows, inout Tally) throws -> Void) throws {
        var work = self
        try work.readAllRows()
        try work.end(body)
    }

    private mutating func readAllRows() throws {
        try begin()
        let columns: ScanColumns = arrangement.needs.isEmpty ? .keys : .values
        try transaction.enumerateRows(allowedCollections: allowed, columns: columns) { row, _ in try add(row) }
    }

    mutating func begin() throws {
        tally = try Tally(progress) { 3 * (try transaction.count(allowedCollections: allowed)) }
        placer = arrangement.fields?.byBytes(transaction.codings).map(RowPlacer.init)
    }

    /// Adds the next row of the database.
    mutating func add(_ row: ScannedRow) throws {
        if let placer { return try placer.add(row).forEach { try add($0, in: transaction) } }
        try add(RowContent(row, needs: arrangement.needs), in: transaction)
    }

    /// Adds the next rows of the database, which are decoded already.
    /// - Parameter transaction: for the blocks.
    mutating func add(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws {
        guard let fields = arrangement.fields else {
            return try rows.forEach { try add(RowContent($0, needs: arrangement.needs), in: transaction) }
        }
        var placed = PlacedRows()
        for row in rows {
            guard let object = row.object else { fatalError("A list that is declared by fields needs the objects.") }
            let place = FieldPlacing.Row(row)
            placed.append(try fields.byObject(object, place), place)
        }
        try add(placed, in: transaction)
    }

    private mutating func add(_ content: RowContent, in transaction: YapDatabaseReadTransaction) throws {
        guard let group = try arrangement.grouping.group(transaction, content) else { return try tally.add(3) }
        try tally.add()
        try add(content, to: group, in: transaction)
    }

    private mutating func add(_ placed: PlacedRows, in transaction: YapDatabaseReadTransaction) throws {
        try tally.add(3 * placed.excluded + placed.count)
        for (group, rows) in placed.groups {
            if !rows.contents.isEmpty {
                batch[group, default: []] += rows.contents
                held.bytes += rows.contents.reduce(0) { $0 + $1.size }
            } else {
                numbered[group, default: NumberedRows()].append(rows.numbered)
                held.bytes += rows.numbered.size
            }
        }
        held.rows += placed.count
        try endFullBatch(in: transaction)
    }

    /// Adds the next row of a group.
    mutating func add(
        _ content: RowContent, to group: String, in transaction: YapDatabaseReadTransaction
    ) throws {
        batch[group, default: []].append(content)
        held.rows += 1
        held.bytes += content.size
        try endFullBatch(in: transaction)
    }

    private mutating func endFullBatch(in transaction: YapDatabaseReadTransaction) throws {
        guard held.rows >= limit.rows || held.bytes >= limit.bytes else { return }
        try endBatch(isOnlyOne: false, in: transaction)
    }

    /// Sorts the rows that are not sorted yet, once all have come.
    mutating func sortLastBatch(in transaction: YapDatabaseReadTransaction) throws {
        if let placer { try placer.finish().forEach { try add($0, in: transaction) } }
        try endBatch(isOnlyOne: runs.isEmpty, in: transaction)
    }

    /// Calls the body as ``arrangeAllRows(_:)`` does.
    mutating func end(_ body: (String, ArrangedRows, inout Tally) throws -> Void) throws {
        try sortLastBatch(in: transaction)
        for group in runs.keys.sorted() {
            guard let runs = runs.removeValue(forKey: group) else { continue }
            try body(group, merged(runs, group, &tally), &tally)
        }
    }

    /// Sorts what is held, and keeps the order.
    private mutating func endBatch(isOnlyOne: Bool, in transaction: YapDatabaseReadTransaction) throws {
        let order = RowOrder(sorting: arrangement.sorting, transaction: transaction)
        for (group, rows) in batch {
            let sorted = try order.sorting.sorted(rows) { try order.precedes($0, $1, group) }
            runs[group, default: []].append(
                try SortedRun(sorted, prefix: arrangement.sorting.prefix, keepsKeys: isOnlyOne))
        }
        for (group, rows) in numbered { runs[group, default: []].append(rows.sorted(keepsKeys: isOnlyOne)) }
        (batch, numbered) = ([:], [:])
        held = Limit(rows: 0, bytes: 0)
    }

    /// Merges sorted runs. Rows of an earlier run come before equal rows of a later run.
    private func merged(_ runs: [SortedRun], _ group: String, _ tally: inout Tally) throws -> ArrangedRows {
        if runs.count == 1 {
            try tally.add(runs[0].rowids.count)
            return ArrangedRows(rowids: runs[0].rowids, keys: runs[0].keys)
        }
        let reader = try ContentReader(transaction, arrangement.sorting.needs)
        var heads = runs.indices.map { RunHead(runs[$0], number: $0) }
        var merged: [Int64] = []
        merged.reserveCapacity(runs.reduce(0) { $0 + $1.rowids.count })
        heads = try heads.stablySorted { try precedes($0, $1, reader, group) }
        while let head = heads.first {
            merged.append(head.rowid)
            try tally.add()
            heads.removeFirst()
            guard head.advance() else { continue }
            try heads.insert(head, at: place(of: head, in: heads, reader, group))
        }
        return ArrangedRows(rowids: merged, keys: nil)
    }

    /// Finds a run's place among the others. O(log runs) comparisons.
    private func place(
        of head: RunHead, in heads: [RunHead], _ reader: ContentReader, _ group: String
    ) throws -> Int {
        var low = 0
        var high = heads.count
        while low < high {
            let middle = (low + high) / 2
            let other = heads[middle]
            let isBehind =
                head.number < other.number
                ? try precedes(other, head, reader, group) : try !precedes(head, other, reader, group)
            if isBehind { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func precedes(
        _ first: RunHead, _ second: RunHead, _ reader: ContentReader, _ group: String
    ) throws -> Bool {
        if let a = first.prefix, let b = second.prefix, a != b || first.isExact { return a < b }
        let order = RowOrder(sorting: arrangement.sorting, transaction: transaction)
        return try order.precedes(content(of: first, reader), content(of: second, reader), group)
    }

    private func content(of head: RunHead, _ reader: ContentReader) throws -> RowContent {
        if let content = head.content { return content }
        guard let content = try reader.content(ofRowid: head.rowid) else { throw missing(head.rowid) }
        if !ranks.isEmpty { content.rank = ranks[ranks.firstIndex(ofRowid: head.rowid)].rank }
        head.content = content
        return content
    }

    func missing(_ rowid: Int64) -> YapDatabaseError {
        YapDatabaseError.damagedView(view, "row \(rowid) does not exist")
    }
}

/// The order of rows of which the block may call some equal.
private struct RowOrder {
    let sorting: YapDatabaseViewSorting
    let transaction: YapDatabaseReadTransaction

    func precedes(_ first: RowContent, _ second: RowContent, _ group: String) throws -> Bool {
        switch try sorting.compare(transaction, group, first, second) {
        case .orderedAscending: true
        case .orderedSame: first.rank < second.rank
        case .orderedDescending: false
        }
    }
}
