import FileBrowser
import ObjectDecoding

/// A search through the keys and decoded values of a list, from one of its rows to the end and on from the beginning.
///
/// A value: each portion of the work gives the search as it is then.
struct ListSearch: Sendable {
    struct Match: Hashable, Sendable {
        /// The number of the group, and the place in it.
        var group: Int
        var place: Int
        var rowid: Int64
    }

    /// Rows that are kept as matches; who has more looks for something else.
    static let mostMatches = 1_000_000
    /// Rows to read in one go of the lock.
    private static let portion = 100
    /// Of a larger value nothing is searched.
    private static let valueBytes = 1 << 20

    let content: ListContent
    let decoder: RowDecoder
    /// Whether values are left alone.
    let isKeysOnly: Bool
    private let text: SearchText
    private let start: (group: Int, place: Int)
    private var position: (group: Int, place: Int)
    private var hasWrapped = false
    /// From the start to the end, and from the beginning to the start.
    private(set) var ahead: [Match] = []
    private(set) var behind: [Match] = []
    private(set) var searched = 0
    private(set) var isDone = false
    /// Rows that could not be read, which may have matched.
    private(set) var unreadable = 0

    init(
        _ pattern: String, _ content: ListContent, _ decoder: RowDecoder, isKeysOnly: Bool = false,
        from start: (group: Int, place: Int) = (0, 0)
    ) {
        self.content = content
        self.decoder = decoder
        self.isKeysOnly = isKeysOnly
        self.start = start
        text = SearchText(pattern)
        position = start
    }

    var count: Int { ahead.count + behind.count }

    /// The matches in the order of the list.
    subscript(index: Int) -> Match { index < behind.count ? behind[index] : ahead[index - behind.count] }

    /// How many matches are in front of a place.
    func rank(of place: (group: Int, place: Int)) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if (self[middle].group, self[middle].place) < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Searches on for a while.
    func advanced(until end: ContinuousClock.Instant) throws -> ListSearch {
        var search = self
        repeat { try search.step() } while !search.isDone && ContinuousClock.now < end
        return search
    }

    private mutating func step() throws {
        guard position.group < content.groups.count, let source = content.sources[content.groups[position.group]] else {
            return wrap()
        }
        var limit = isKeysOnly ? ListContent.endOfKeys(after: position.place) : position.place + Self.portion
        if hasWrapped, position.group == start.group { limit = min(limit, start.place) }
        let known = min(limit, source.count.known)
        if position.place < known {
            try search(source, position.place..<known)
            position.place = known
        } else if hasWrapped, position.group == start.group, position.place >= start.place {
            isDone = true
        } else if try !content.snapshot.work({ try source.learn($0) }), position.place >= source.count.known {
            position = (position.group + 1, 0)
        }
        if count >= Self.mostMatches { isDone = true }
    }

    private mutating func wrap() {
        if hasWrapped || start == (0, 0) { isDone = true }
        hasWrapped = true
        position = (0, 0)
    }

    private mutating func search(_ source: any RowSource, _ places: Range<Int>) throws {
        if isKeysOnly { return try searchKeys(places) }
        let rows = try content.snapshot.work { store in
            try zip(places, source.rowids(in: places, store)).map { place, rowid in
                (place, try content.row(rowid, valueBytes: Self.valueBytes, store))
            }
        }
        for (place, row) in rows {
            if row.error != nil { unreadable += 1 }
            guard matches(row) else { continue }
            take(Match(group: position.group, place: place, rowid: row.rowid))
        }
        searched += places.count
    }

    private mutating func searchKeys(_ places: Range<Int>) throws {
        let group = content.groups[position.group]
        try content.snapshot.work { store in
            try content.visitKeys(ofGroup: group, in: places, store) { place, rowid, key in
                if text.isFound(in: key) { take(Match(group: position.group, place: place, rowid: rowid)) }
            }
        }
        searched += places.count
    }

    private mutating func take(_ match: Match) {
        if hasWrapped { behind.append(match) } else { ahead.append(match) }
    }

    private func matches(_ row: BrowsedRow) -> Bool {
        if let address = row.address, address.key.bytes.withUnsafeBytes(text.isFound(in:)) { return true }
        var bytes: [UInt8] = []
        for column in row.columns { bytes += Array(column.value.text.utf8) + [0x0A] }
        for value in [row.object, row.metadata].compactMap(\.self) where value.isWhole {
            decoder.decode(value, of: row).value.appendSearchText(to: &bytes)
        }
        return bytes.withUnsafeBytes(text.isFound(in:))
    }
}
