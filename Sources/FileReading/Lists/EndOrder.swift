import FileEngine
import ListChanges

/// The last rows of a list while the number of rows before them is unknown.
struct EndOrder: RowSource {
    /// Several screens of rows, found in a millisecond.
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
    /// Returns the list with only its last rows, if they can be found before its rows are counted. Nil if they cannot,
    /// or if all rows are counted.
    package func end() throws -> ListContent? {
        guard groups.count == 1, let source = sources[groups[0]], !source.count.isComplete,
            let rows = try snapshot.read({ try source.lastRowids(EndOrder.limit, $0) })
        else { return nil }
        return ListContent(self, showing: ExactDictionary([(groups[0], EndOrder(rows))]))
    }
}
