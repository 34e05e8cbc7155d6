/// A search through the rows of a list, from one row on and once around, in portions. Between portions a program can
/// handle keys, show progress, or give up.
///
/// ```swift
/// var search = RowSearch(rows: count, from: selected + 1)
/// // In each pass of the loop, while `search.state` is `.searching`:
/// try search.look(at: 500) { try text(ofRow: $0).contains(pattern) }
/// ```
public struct RowSearch: Hashable, Sendable {
    /// Which way a search goes through the rows.
    public enum Direction: Hashable, Sendable {
        /// To greater row numbers, and from the last row to the first.
        case forward
        /// To smaller row numbers, and from the first row to the last.
        case backward
    }

    /// How far a search has come.
    public enum State: Hashable, Sendable {
        /// There are rows left to look at.
        case searching
        /// This row matches; the search is over.
        case found(row: Int)
        /// No row matches; the search is over.
        case notFound
    }

    /// The number of rows.
    public let rows: Int
    /// Which way the search goes.
    public let direction: Direction
    /// The number of rows searched so far.
    public private(set) var looked = 0
    /// How far the search has come.
    public private(set) var state: State
    private let start: Int

    /// - Parameter start: The first row to search. A number beyond an end of the list means the first row at the other
    ///   end.
    public init(rows: Int, from start: Int, _ direction: Direction = .forward) {
        self.rows = rows
        self.direction = direction
        self.start = rows > 0 ? (start % rows + rows) % rows : 0
        state = rows > 0 ? .searching : .notFound
    }

    /// Searches the next rows, at most `count`, until one matches.
    /// - Parameters:
    ///   - count: the most rows to look at now.
    ///   - matches: returns whether a row matches; runs on the calling thread.
    /// - Throws: what the closure throws.
    public mutating func look(at count: Int, for matches: (_ row: Int) throws -> Bool) rethrows {
        for _ in 0..<count where state == .searching {
            let row = next
            let isMatch = try matches(row)
            looked += 1
            if isMatch { state = .found(row: row) } else if looked == rows { state = .notFound }
        }
    }

    private var next: Int {
        direction == .forward ? (start + looked) % rows : (start - looked + rows) % rows
    }
}
