import FileEngine
import Foundation
import ListChanges

/// Arranges rows in the order of a view's blocks: all rows of the database, or those of the view.
///
/// If all rows fit into one batch, they are read and decoded once and sorted in memory. Otherwise they are sorted batch by batch and then
/// merged, so that memory does not grow with the rows. For each row of a sorted batch, a temporary file keeps 16 bytes: the rowid and the prefix.
/// Rows without a prefix or with equal prefixes are read and decoded a second time. The rows of a view that is declared by fields are decoded on
/// all processors. If one field decides the order, nothing else of a row is kept.
struct ViewPopulation {
    /// The most rows, and the most stored bytes, that a batch holds decoded at once.
    struct Limit {
        var rows = 131_072
        var bytes = 32 << 20

        /// Tests set another one.
        @TaskLocal static var current = Limit()
    }

    let view: String
    let allowed: YapWhitelistBlacklist?
    let transaction: YapDatabaseReadTransaction
    let pages: ViewPages
    let arrangement: Arrangement
    /// Takes the first rows of pages, with which the first searches will compare.
    let compared: (any ComparedRows)?
    let limit: Limit
    /// Counts three units for each row: read, sorted, stored. Cancelling takes effect between any two units, but not
    /// while a batch is sorted.
    var progress: Progress?

    /// The sorted batches, but the last if it is the only one.
    private var runs: RunFile?
    private var onlyBatch: [(name: String, rows: SortedRun)] = []
    private var batch = GroupBatch()
    private var numbered = ExactDictionary<NumberBatch>()
    private var placer: RowPlacer?
    private var held = Limit(rows: 0, bytes: 0)
    /// The present places of the rows, by rowid, where rows that the block calls equal keep them.
    var ranks: [RowRank] = []
    /// Rows that cannot be decoded and are left out.
    private(set) var undecodable = UndecodableRows()
    private var counter = ProgressCounter(nil) { 0 }

    init(
        view: String, allowed: YapWhitelistBlacklist?, transaction: YapDatabaseReadTransaction, pages: ViewPages,
        arrangement: Arrangement, compared: (any ComparedRows)? = nil, limit: Limit = .current,
        progress: Progress? = nil
    ) {
        self.view = view
        self.allowed = allowed
        self.transaction = transaction
        self.pages = pages
        self.arrangement = arrangement
        self.compared = compared
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
        let writer = GroupWriter(pages, compared: compared, limit: limit)
        try end(into: writer)
        try writer.endAll(&counter)
    }

    /// Passes on all rows of the database, in their order.
    /// - Returns: those that are left out.
    func arrangeAllRows(into sink: any RowSink) throws -> UndecodableRows {
        var work = self
        try work.readAllRows()
        try work.end(into: sink)
        return work.undecodable
    }

    private mutating func readAllRows() throws {
        try begin()
        let columns: ScanColumns = arrangement.needs.isEmpty ? .keys : .values
        try transaction.enumerateRows(allowedCollections: allowed, columns: columns) { row, _ in try add(row) }
    }

    mutating func begin() throws {
        counter = try ProgressCounter(progress) { 3 * (try transaction.count(allowedCollections: allowed)) }
        placer = arrangement.fields?.byBytes(transaction.codings).map(RowPlacer.init)
    }

    /// Adds the next row of the database.
    mutating func add(_ row: ScannedRow) throws {
        if let placer {
            if let placed = try placer.add(row) { try placed.forEach { try hold($0, in: transaction) } }
            return
        }
        let content: RowContent
        do {
            content = try arrangement.content { try RowContent(row, needs: arrangement.needs) }
        } catch {
            return try leaveOut(row.rowid, row.key, error)
        }
        try group(content, in: transaction)
    }

    /// Leaves out a row that cannot be decoded.
    /// - Throws: the error, if it says something else, or if the program wants it.
    mutating func leaveOut(_ rowid: Int64, _ key: RowKey, _ error: any Error) throws {
        var rows = UndecodableRows()
        guard let cause = YapDatabaseError(undecodable: error) else { throw error }
        rows.add(UndecodableRows.Row(rowid: rowid, key: key, error: cause))
        try leaveOut(rows)
        try counter.add(3)
    }

    private mutating func leaveOut(_ rows: UndecodableRows) throws {
        guard let first = rows.rows.first else { return }
        if transaction.failsOnUndecodableRows { throw first.error }
        undecodable.add(rows)
    }

    /// Adds the next rows of the database, which are decoded already.
    /// - Parameter transaction: for the blocks.
    mutating func add(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws {
        guard let fields = arrangement.fields else { return try rows.forEach { try add($0, in: transaction) } }
        var placed = PlacedBatch()
        for row in rows {
            let place = FieldPlacing.Row(row)
            do {
                try row.require(arrangement.needs)
                guard let object = row.object else {
                    fatalError("A list that is declared by fields needs the objects.")
                }
                placed.append(try fields.byObject(object, place), place)
            } catch {
                try placed.leaveOut(place, error)
            }
        }
        try hold(placed, in: transaction)
    }

    private mutating func add(_ row: DecodedRow, in transaction: YapDatabaseReadTransaction) throws {
        do {
            try row.require(arrangement.needs)
        } catch {
            return try leaveOut(row.rowid, row.key, error)
        }
        try group(RowContent(row, needs: arrangement.needs), in: transaction)
    }

    /// Finds the group of a row, and holds the row if it has one.
    private mutating func group(_ content: RowContent, in transaction: YapDatabaseReadTransaction) throws {
        guard let group = try arrangement.grouping.group(transaction, content) else { return try counter.add(3) }
        try counter.add()
        try hold(content, inGroup: group, in: transaction)
    }

    /// Holds rows with their groups until the batch is sorted.
    private mutating func hold(_ placed: PlacedBatch, in transaction: YapDatabaseReadTransaction) throws {
        try counter.add(3 * placed.excluded + placed.count)
        try leaveOut(placed.undecodable)
        for rows in placed.groups {
            if !rows.contents.isEmpty {
                batch.append(rows.contents, to: rows.name)
                held.bytes += rows.contents.reduce(0) { $0 + $1.size }
            } else {
                numbered[rows.name, default: NumberBatch()].append(rows.numbered)
                held.bytes += rows.numbered.size
            }
        }
        held.rows += placed.count
        try endFullBatch(in: transaction)
    }

    /// Holds a row of a group until the batch is sorted.
    mutating func hold(
        _ content: RowContent, inGroup group: String, in transaction: YapDatabaseReadTransaction
    ) throws {
        batch.append(content, to: group)
        held.rows += 1
        held.bytes += content.size
        try endFullBatch(in: transaction)
    }

    private mutating func endFullBatch(in transaction: YapDatabaseReadTransaction) throws {
        guard held.rows >= limit.rows || held.bytes >= limit.bytes else { return }
        try storeBatch(in: transaction)
    }

    /// Sorts the rows that are not sorted yet, once all have come.
    mutating func sortLastBatch(in transaction: YapDatabaseReadTransaction) throws {
        if let placer { try placer.finish().forEach { try hold($0, in: transaction) } }
        // Another connection may have done it before.
        if batch.groups.isEmpty, numbered.isEmpty { return }
        if runs != nil { return try storeBatch(in: transaction) }
        onlyBatch = try sortBatch(keepsKeys: true, in: transaction)
    }

    /// Passes on the rows that were added, in their order.
    mutating func end(into sink: any RowSink) throws {
        try sortLastBatch(in: transaction)
        if let runs {
            self.runs = nil
            return try merge(runs.cursors(), into: sink)
        }
        let groups = onlyBatch
        onlyBatch = []
        for (group, rows) in groups {
            try sink.begin(group)
            for index in 0..<rows.count { try sink.add(rows.row(at: index)) }
            try counter.add(rows.count)
            try sink.end()
        }
    }

    /// Sorts what is held, and writes the order to the temporary file.
    private mutating func storeBatch(in transaction: YapDatabaseReadTransaction) throws {
        let runs = try self.runs ?? RunFile(TemporaryFile(inFolder: transaction.store.folder))
        self.runs = runs
        try runs.add(sortBatch(keepsKeys: false, in: transaction))
    }

    /// Sorts what is held.
    /// - Returns: the groups in the order of their names.
    private mutating func sortBatch(
        keepsKeys: Bool, in transaction: YapDatabaseReadTransaction
    ) throws -> [(name: String, rows: SortedRun)] {
        let order = RowOrder(sorting: arrangement.sorting, transaction: transaction)
        var groups: [(name: String, rows: SortedRun)] = []
        for (group, rows) in batch.groups {
            let sorted = try order.sorting.sorted(rows) { try order.precedes($0, $1, group) }
            try arrangement.orderCheck?.check(sorted, of: view, group) {
                try order.sorting.compare(transaction, group, $0, $1)
            }
            let run = try SortedRun(
                sorted, needs: arrangement.needs, prefix: arrangement.sorting.prefix, keepsKeys: keepsKeys)
            groups.append((group, run))
        }
        let work = OrderedWork<(name: String, rows: SortedRun)> { groups.append($0) }
        for (group, rows) in numbered {
            // A few rows are not worth a change of threads, and there may be as many groups as rows.
            if rows.rowids.count < 512 {
                groups.append((group, rows.sorted(keepsKeys: keepsKeys)))
            } else {
                try work.add { (group, rows.sorted(keepsKeys: keepsKeys)) }
            }
        }
        try work.finish()
        (batch, numbered) = (GroupBatch(), ExactDictionary())
        held = Limit(rows: 0, bytes: 0)
        return groups.sorted { $0.name.precedes($1.name) }
    }

    /// Merges sorted runs. Rows of an earlier run come before equal rows of a later run. O(log runs) comparisons a row.
    private mutating func merge(_ runs: [RunCursor], into sink: any RowSink) throws {
        let reader = try ContentReader(transaction, arrangement.sorting.needs)
        while let group = runs.compactMap(\.group).min(by: { $0.precedes($1) }) {
            let parts = runs.filter { group.isName($0.group) }
            try sink.begin(group)
            func wins(_ part: Int, _ other: Int) throws -> Bool {
                let (first, second) = (parts[part], parts[other])
                if first.rowsLeft == 0 { return false }
                if second.rowsLeft == 0 { return true }
                return try part < other
                    ? !precedes(second, first, reader, group) : precedes(first, second, reader, group)
            }
            var tournament = try Tournament(of: parts.count, wins)
            while case let part = parts[tournament.winner], part.rowsLeft > 0 {
                try sink.add(
                    SortedRow(rowid: part.rowid, number: part.isExact ? part.prefix : nil, content: part.content))
                try counter.add()
                try part.advance()
                try tournament.replay(wins)
            }
            try sink.end()
            for part in parts { try part.endGroup() }
        }
    }

    private func precedes(
        _ first: RunCursor, _ second: RunCursor, _ reader: ContentReader, _ group: String
    ) throws -> Bool {
        if let a = first.prefix, let b = second.prefix, a != b || first.isExact { return a < b }
        let order = RowOrder(sorting: arrangement.sorting, transaction: transaction)
        return try order.precedes(content(of: first, reader), content(of: second, reader), group)
    }

    private func content(of head: RunCursor, _ reader: ContentReader) throws -> RowContent {
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
