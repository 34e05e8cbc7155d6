import ListChanges

/// The rows of a group, in order.
struct ArrangedRows {
    var rowids: [Int64] = []
    /// Their keys; nil if there are too many rows to hold their keys.
    var keys: [RowKey]? = []

    /// The most rows of which the keys are held.
    static let mostKeys = ViewPopulation.Limit().rows

    mutating func append(_ rowid: Int64, _ key: RowKey) {
        rowids.append(rowid)
        if rowids.count > Self.mostKeys { keys = nil } else { keys?.append(key) }
    }
}

/// A sorted batch of a population.
struct SortedRun {
    let rowids: [Int64]
    /// The prefix of each row; nil if not every row has one.
    let prefixes: [UInt64]?
    let keys: [RowKey]?
    /// Whether rows with equal prefixes are equal.
    let isExact: Bool

    init(rowids: [Int64], numbers: [UInt64], keys: [RowKey]?) {
        (self.rowids, prefixes, self.keys, isExact) = (rowids, numbers, keys, true)
    }

    init(_ rows: [RowContent], prefix: ((RowContent) throws -> UInt64?)?, keepsKeys: Bool) throws {
        rowids = rows.map(\.rowid)
        keys = keepsKeys ? rows.map(\.key) : nil
        isExact = false
        guard let prefix, !keepsKeys else {
            prefixes = nil
            return
        }
        let known = try rows.compactMap { try $0.prefix(prefix) }
        prefixes = known.count == rows.count ? known : nil
    }
}

/// The next row of a run that is merged with others.
final class RunHead {
    let number: Int
    private let run: SortedRun
    private var position = 0
    /// The row, if it was read.
    var content: RowContent?

    init(_ run: SortedRun, number: Int) {
        (self.run, self.number) = (run, number)
    }

    var rowid: Int64 { run.rowids[position] }
    var prefix: UInt64? { run.prefixes?[position] }
    var isExact: Bool { run.isExact }

    /// - Returns: whether there is another row.
    func advance() -> Bool {
        position += 1
        content = nil
        return position < run.rowids.count
    }
}
