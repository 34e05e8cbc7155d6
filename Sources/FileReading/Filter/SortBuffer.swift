import FileEngine
import ListChanges
import SQLiteBridge

/// Rows that are not passed on before all are known: where they are, and what orders them.
struct SortBuffer {
    struct Entry {
        let rowid: Int64
        let index: Int?
    }

    private var entries: [Entry] = []
    /// The range of the entries of each group; a group's rows follow each other.
    private var groups = ExactDictionary<Range<Int>>()
    private var sorter: Store?

    subscript(place: Int) -> Entry { entries[place] }

    mutating func add(_ found: FilteredRows.Found) throws {
        let place = entries.count
        entries.append(Entry(rowid: found.stop.row.rowid, index: found.stop.index))
        let range = groups[found.stop.group] ?? place..<place
        groups[found.stop.group] = range.lowerBound..<place + 1
        try key(of: place, found.key)
    }

    private mutating func key(of place: Int, _ key: SQLValue) throws {
        if key == .null { return }
        let sorter = try sorter ?? Self.makeSorter()
        self.sorter = sorter
        try sorter.run("INSERT INTO temp.keys VALUES (?, ?)") {
            try $0.bind(Int64(place), at: 1)
            try $0.bind(key, at: 2)
        }
    }

    /// SQLite compares values of different kinds, and sorts beyond memory.
    private static func makeSorter() throws -> Store {
        let rules = SQLiteRules { _ in true }
        let store = try Store(path: ":memory:", mode: .memory, rules: rules, busyTimeout: 0)
        try store.execute("CREATE TEMP TABLE keys (place INTEGER PRIMARY KEY, key)")
        return store
    }

    /// Returns the places of a group's rows in their order.
    /// - Parameter isDescending: nil without an order by keys.
    func places(inGroup group: String, _ isDescending: Bool?, _ selection: RowSelection) throws -> [Int] {
        guard let range = groups[group] else { return [] }
        var places = Array(range)
        if let isDescending, let sorter {
            let keyed = try sorter.all(
                "SELECT place FROM temp.keys WHERE place >= ? AND place < ? ORDER BY key\(isDescending ? " DESC" : ""), place",
                bind: {
                    try $0.bind(Int64(range.lowerBound), at: 1)
                    try $0.bind(Int64(range.upperBound), at: 2)
                }, read: { Int($0.int64(at: 0)) })
            // Rows without a key are NULL, which comes first.
            var hasKey = Array(repeating: false, count: range.count)
            for place in keyed { hasKey[place - range.lowerBound] = true }
            let rest = places.filter { !hasKey[$0 - range.lowerBound] }
            places = isDescending ? keyed + rest : rest + keyed
        }
        switch selection.range {
        case .all: break
        case .first(let count): places = Array(places.prefix(count))
        case .last(let count): places = places.suffix(count)
        }
        return selection.isReversed ? places.reversed() : places
    }
}

extension RowSelection.Range {
    /// The most rows of a range from the beginning.
    var count: Int { if case .first(let count) = self { count } else { .max } }
    var isAtEnd: Bool { if case .last = self { true } else { false } }
}
