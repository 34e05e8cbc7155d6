import ObjectDecoding
import FileEngine

/// A search through the keys and decoded values of a list, from one of its rows to the end and then from the beginning.
///
/// A value: each portion of work returns the search in its new state. It continues over newer states of the list, see
/// `carried(to:touched:)`: what it knows of a row stays valid unless the row was touched. The places of the matches are
/// then found in a last walk over the list, which reads no row that is known.
package struct ListSearch: Sendable {
    package struct Match: Hashable, Sendable {
        /// The index of the group, and the place in it.
        package var group: Int
        package var place: Int
        package var rowid: Int64
    }

    /// Matches in the order in which a walk meets them.
    private struct Found: Sendable {
        /// From the start to the end; the other list is from the beginning to the start.
        var ahead: [Match] = []
        var behind: [Match] = []

        var count: Int { ahead.count + behind.count }
    }

    /// The most rows kept as matches. A query with more matches is too general.
    package static let maxMatches = 1_000_000
    /// The rows read while the lock is held once.
    private static let portion = 500
    /// The bytes of values among them, unless one row alone has more.
    private static let portionBytes = 4 << 20
    /// The rows found at once.
    private static let window = 1_000
    package private(set) var content: ListContent
    package let decoder: RowDecoder
    /// Whether only keys are searched, which is many times as fast.
    package let isKeysOnly: Bool
    private let test: RowTest
    private let cancellation = Locked(false)
    private var start: (group: Int, place: Int)
    private var position: (group: Int, place: Int)
    private var hasWrapped = false
    /// The matches of the walk under way that finds the places of all.
    private var walk: Found?
    private var found = Found()
    private var known = RowidMarks()
    private var matching = RowidMarks()
    private var unreadableRows: Set<Int64> = []
    /// Known rows that were touched. They are searched again once all others are known, because a row may be touched
    /// often.
    private var again: Set<Int64> = []
    private var isCatchingUp = false
    /// The rows from the position on, as far as they were found.
    private var window: (group: Int, place: Int, rowids: [Int64]) = (0, 0, [])
    /// Whether the list has changed since the walk under way began.
    private var isMoved = false
    package private(set) var isDone = false
    /// Counts how often the places of all matches were found in a newer state.
    package private(set) var edition = 0

    package init(
        _ pattern: String, _ content: ListContent, _ decoder: RowDecoder, isKeysOnly: Bool = false,
        from start: (group: Int, place: Int) = (0, 0)
    ) {
        self.content = content
        self.decoder = decoder
        self.isKeysOnly = isKeysOnly
        self.start = start
        test = .text(SearchText(pattern))
        position = start
    }

    /// A search for the rows for which a condition is true.
    package init(_ condition: RowExpressions, _ content: ListContent, _ decoder: RowDecoder) {
        self.content = content
        self.decoder = decoder
        (isKeysOnly, start, position) = (false, (0, 0), (0, 0))
        test = .condition(condition, cancelledBy: cancellation)
    }

    /// A search for the rows that have a text, in their keys alone or in their values too, and for which a condition is true.
    package init(
        _ text: String, inKeysAlone: Bool, and condition: RowExpressions, _ content: ListContent, _ decoder: RowDecoder
    ) {
        self.content = content
        self.decoder = decoder
        (isKeysOnly, start, position) = (false, (0, 0), (0, 0))
        let text = SearchText(text)
        test = .both([inKeysAlone ? .key(text) : .text(text), .condition(condition, cancelledBy: cancellation)])
    }

    /// Ends a portion that a thread works on soon, with an error of the code `interrupted`; also in the states of the search that followed.
    package func cancel() { cancellation.withLock { $0 = true } }

    /// What is to be said of the rows that a condition was asked of; nil if there is no condition.
    package var remarks: ExpressionRemarks? { test.remarks }

    package var ahead: [Match] { found.ahead }
    package var count: Int { found.count }
    /// The number of rows searched.
    package var searched: Int { known.count }
    /// The number of rows that could not be read and may have matched.
    package var unreadable: Int { unreadableRows.count }
    /// Whether all rows are searched and only places are missing.
    package var isWalking: Bool { walk != nil }

    /// The matches in the order of the list.
    package subscript(index: Int) -> Match {
        index < found.behind.count ? found.behind[index] : found.ahead[index - found.behind.count]
    }

    /// Returns the number of matches before a place.
    package func rank(of place: (group: Int, place: Int)) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if (self[middle].group, self[middle].place) < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the search in a newer state of the list. Matches stay as they are until all of them are known.
    package func carried(to content: ListContent, touched: TouchedRows) -> ListSearch {
        var search = self
        search.content = content
        search.isMoved = true
        search.window.rowids = []
        switch content.subject.hasStoredRows ? touched : .all {
        case .some(let rowids):
            for rowid in rowids where known.contains(rowid) {
                search.forget(rowid)
                search.again.insert(rowid)
            }
        case .all:
            (search.known, search.matching, search.unreadableRows) = (RowidMarks(), RowidMarks(), [])
            search.again = []
        }
        // Places from two different states must not be mixed.
        if isDone || isCatchingUp || walk != nil { search.catchUp() }
        return search
    }

    /// Continues the search until a time.
    package func advanced(until end: ContinuousClock.Instant) throws -> ListSearch {
        var search = self
        repeat { try search.step() } while !search.isDone && ContinuousClock.now < end
        return search
    }
}

extension ListSearch {
    private mutating func step() throws {
        if isCatchingUp { return try searchAgain() }
        if hasWrapped, position >= start { return finish() }
        guard position.group < content.groups.count, let source = content.sources[content.groups[position.group]] else {
            return wrap()
        }
        var limit = position.place + Self.window
        if hasWrapped, position.group == start.group { limit = min(limit, start.place) }
        let end = min(limit, source.count.known)
        if position.place < end {
            position.place = try search(source, position.place..<end)
        } else if try !content.snapshot.work({ try source.loadMore($0) }), position.place >= source.count.known {
            // A shortened list ends before the place where the search began.
            if hasWrapped, position.group == start.group { return finish() }
            position = (position.group + 1, 0)
        }
        if (walk ?? found).count >= Self.maxMatches { finish() }
    }

    /// Searches touched rows wherever they are now, so that little is left for the last walk.
    private mutating func searchAgain() throws {
        let rowids = again.prefix(Self.portion)
        let rows = try content.snapshot.work { store in
            try rowids.map { try row($0, store) }
        }
        again.subtract(rowids)
        try record(rows.filter { $0.error == nil })
        if again.isEmpty { walkAgain() }
    }

    private mutating func wrap() {
        if hasWrapped || start == (0, 0) { return finish() }
        hasWrapped = true
        position = (0, 0)
    }

    /// Ends the walk over all rows. If they were not all of one state, their places are searched in the newest one.
    private mutating func finish() {
        if let walk {
            found = walk
            edition += 1
            self.walk = nil
        }
        if isMoved { catchUp() } else { isDone = true }
    }

    private mutating func catchUp() {
        (walk, isDone, isCatchingUp) = (nil, false, !again.isEmpty)
        if again.isEmpty { walkAgain() }
    }

    private mutating func walkAgain() {
        isCatchingUp = false
        (walk, position, hasWrapped, isMoved, isDone) = (Found(), start, false, false, false)
    }

    private mutating func forget(_ rowid: Int64) {
        known.remove(rowid)
        matching.remove(rowid)
        unreadableRows.remove(rowid)
    }

    /// Searches the next rows at these places, as many as are read at once.
    /// - Returns: the place to continue at.
    private mutating func search(_ source: any RowSource, _ places: Range<Int>) throws -> Int {
        if isKeysOnly, let order = source as? KeyOrder { return try searchKeys(order, places) }
        let first = places.lowerBound
        let isFound = window.group == position.group && window.place <= first
        var rowids = isFound ? window.rowids.dropFirst(first - window.place) : []
        let (rows, gone) = try content.snapshot.work { store in
            if rowids.isEmpty { rowids = try source.rowids(in: first..<first + Self.window, store)[...] }
            let part = rowids.prefix(places.count)
            return (try read(unknown(part), store), try goneMatches(part, store))
        }
        try record(rows)
        for rowid in gone { matching.remove(rowid) }
        window = (position.group, first, Array(rowids))
        // A list that is shorter than its count is at its end.
        guard !rowids.isEmpty else { return places.upperBound }
        let ready = rowids.prefix(places.count).prefix { known.contains($0) }
        for (place, rowid) in zip(first..., ready) where matching.contains(rowid) {
            add(Match(group: position.group, place: place, rowid: rowid))
        }
        return first + ready.count
    }

    /// Searches keys in the order of the keys' index, which holds the rowids too: millions a second.
    /// - Returns: the place to continue at.
    private mutating func searchKeys(_ order: KeyOrder, _ places: Range<Int>) throws -> Int {
        let end = min(places.upperBound, KeyOrder.endOfPortion(at: places.lowerBound))
        try content.snapshot.work { store in
            try order.visitKeys(in: places.lowerBound..<end, store) { place, rowid, key in
                known.insert(rowid)
                if test.isFound(inKey: key) { add(Match(group: position.group, place: place, rowid: rowid)) }
            }
        }
        return end
    }

    private func row(_ rowid: Int64, _ store: Store) throws -> BrowsedRow {
        try isKeysOnly ? content.keyRow(rowid, store) : content.row(rowid, valueBytes: FileSnapshot.wholeValues, store)
    }

    private func unknown(_ rowids: ArraySlice<Int64>) -> [Int64] {
        let most = isKeysOnly ? Self.window : Self.portion
        var unknown: [Int64] = []
        for rowid in rowids where unknown.count < most && !known.contains(rowid) { unknown.append(rowid) }
        return unknown
    }

    /// Returns matches that the list still contains although the row itself was deleted since it was searched.
    private func goneMatches(_ rowids: ArraySlice<Int64>, _ store: Store) throws -> [Int64] {
        guard walk != nil, content.subject.isOfOtherRows, let table = content.snapshot.schema.rows else { return [] }
        let sql = "SELECT 1 FROM \(table.name.quotedSQL) WHERE rowid = ?"
        return try rowids.filter { rowid in
            guard matching.contains(rowid) else { return false }
            return try store.first(sql, bind: { try $0.bind(rowid, at: 1) }, read: { _ in true }) == nil
        }
    }

    /// Reads rows up to a size: the others are read with the next ones.
    private func read(_ rowids: [Int64], _ store: Store) throws -> [BrowsedRow] {
        var (rows, bytes) = ([BrowsedRow](), 0)
        for rowid in rowids {
            let row = try row(rowid, store)
            bytes += (row.object?.size ?? 0) + (row.metadata?.size ?? 0)
            rows.append(row)
            if bytes > Self.portionBytes { break }
        }
        return rows
    }

    private mutating func record(_ rows: [BrowsedRow]) throws {
        let (test, decoder) = (test, decoder)
        for (row, isMatch) in zip(rows, try rows.mapConcurrently { try test.isTrue(for: $0, decoder) }) {
            known.insert(row.rowid)
            if row.error != nil { unreadableRows.insert(row.rowid) }
            if isMatch { matching.insert(row.rowid) }
        }
    }

    private mutating func add(_ match: Match) {
        switch (walk != nil, hasWrapped) {
        case (true, true): walk?.behind.append(match)
        case (true, false): walk?.ahead.append(match)
        case (false, true): found.behind.append(match)
        case (false, false): found.ahead.append(match)
        }
    }
}
