import FileEngine

/// The last rows of a list, alone: how many are before them nobody knows yet.
struct EndOrder: RowSource {
    /// Several screens of rows; a millisecond to find.
    static let limit = 500

    private let rows: [Int64]

    init(_ rows: [Int64]) { self.rows = rows }

    var count: RowCount { RowCount(rows.count, isComplete: false) }

    func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64] {
        Array(rows[places.clamped(to: rows.indices)])
    }

    func place(of rowid: Int64, _ store: Store) throws -> Int? { rows.firstIndex(of: rowid) }
}

extension ListContent {
    /// The same list with only its last rows, where they can be found before its rows are counted. Nil where they cannot,
    /// or where all are counted.
    package func end() throws -> ListContent? {
        guard groups.count == 1, let source = sources[groups[0]], !source.count.isComplete,
            let rows = try snapshot.read({ try source.lastRowids(EndOrder.limit, $0) })
        else { return nil }
        return ListContent(self, showing: [groups[0]: EndOrder(rows)])
    }
}
