import ListChanges
import SeededRandom

/// A list in one group, and the log of moves of random rows to random places in it.
struct MoveLog {
    private let mappings: Mappings
    private let log: [RawOperation]
    private let counts: [String: Int]
    private static let group = "list"

    /// - Parameter last: shows only this number of rows at the end; nil shows all.
    init(rows: Int, moves: Int, last: Int?) {
        counts = [Self.group: rows]
        var mappings = Mappings(groups: [Self.group])
        let range = last.flatMap { RangeOptions.flexible(length: $0, offset: 0, from: .end) }
        mappings.setRangeOptions(range, forGroup: Self.group)
        mappings.update(counts: counts)
        self.mappings = mappings
        log = moves == 1 ? Self.oneMove(in: rows, near: last) : Self.moves(moves, in: rows)
    }

    /// Computes the change-set of the log.
    func advance() throws { keep(try mappings.advanced(by: log, counts: counts)) }

    /// Returns a move among the shown rows, so that the change-set is not empty.
    private static func oneMove(in rows: Int, near last: Int?) -> [RawOperation] {
        move(row: rows - (last ?? rows) / 2, from: rows - (last ?? rows) / 2, to: rows - 10)
    }

    private static func moves(_ count: Int, in rows: Int) -> [RawOperation] {
        var random = SplitMix64(seed: 42)
        var order = (0..<Int32(rows)).map(\.self)
        return (0..<count).flatMap { _ in
            let (from, to) = (Int.random(in: 0..<rows, using: &random), Int.random(in: 0..<rows, using: &random))
            let row = order.remove(at: from)
            order.insert(row, at: to)
            return move(row: Int(row), from: from, to: to)
        }
    }

    private static func move(row: Int, from: Int, to: Int) -> [RawOperation] {
        let key = RowKey(collection: "rows", key: "row-\(row)")
        return [
            .deleteRow(group: group, index: from, key: key), .insertRow(group: group, index: to, key: key),
        ]
    }
}
