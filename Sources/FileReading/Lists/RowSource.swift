import FileEngine

/// Ordered rows in one state of a file, found by their place.
///
/// Rows are identified by rowid. The store decides which callers wait: make each call inside ``FileSnapshot/read(_:)``
/// or ``FileSnapshot/work(_:)`` of the source's own snapshot. Safe on any thread.
package protocol RowSource: Sendable {
    /// The number of rows, as far as it is known by now. O(1).
    var count: RowCount { get }
    /// Returns the rows at these places; fewer beyond the end. O(log n + rows returned).
    func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64]
    /// Returns a row's place; nil if it is not in the list, or in a part of it that is not known yet.
    func place(of rowid: Int64, _ store: Store) throws -> Int?
    /// Counts and locates some more rows; takes a few milliseconds.
    /// - Returns: false when all are known.
    func loadMore(_ store: Store) throws -> Bool
    /// Returns the last rows, in the order of the list, even if their places are unknown; nil if they cannot be found
    /// yet.
    func lastRowids(_ limit: Int, _ store: Store) throws -> [Int64]?
}

extension RowSource {
    package func loadMore(_ store: Store) throws -> Bool { false }

    package func lastRowids(_ limit: Int, _ store: Store) throws -> [Int64]? {
        guard count.isComplete else { return nil }
        return try rowids(in: max(0, count.known - limit)..<count.known, store)
    }
}

/// The rows of a group in order.
struct RowSequence: Hashable, Sendable {
    var group: String
    var rowids: [Int64]
}
