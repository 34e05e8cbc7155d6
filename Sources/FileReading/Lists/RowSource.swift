import FileEngine

/// Rows in an order, at one state of a file, found by their place.
///
/// A row is named by its rowid. Which store answers decides who waits: each call is to be made inside
/// ``FileSnapshot/read(_:)`` or ``FileSnapshot/work(_:)`` of the source's own snapshot. From any thread.
package protocol RowSource: Sendable {
    /// How many rows there are, as far as it is known by now. Costs nothing.
    var count: RowCount { get }
    /// The rows at these places; fewer where there are none. O(log n) and the rows asked for.
    func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64]
    /// Where a row is; nil when it is not in the list, or in a part of it that is not known yet.
    func place(of rowid: Int64, _ store: Store) throws -> Int?
    /// Learns a bit more about how many rows there are and where; a few milliseconds of work.
    /// - Returns: false when all is known.
    func loadMore(_ store: Store) throws -> Bool
    /// The last rows, in the order of the list, whether their places are known or not; nil where they cannot be found yet.
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
