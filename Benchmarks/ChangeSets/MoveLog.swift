import ListChanges
import SeededRandom

/// A list in one group, and the log of moves of rows in it.
struct MoveLog {
    private let mappings: Mappings
    private let counts: [String: Int]
    /// In the form in which a commit has it.
    private var log: OperationLog
    private static let group = "list"

    /// A log of moves of random rows to random places.
    /// - Parameter last: shows only this number of rows at the end; nil shows all.
    init(rows: Int, moves: Int, last: Int?) {
        self.init(rows: rows, last: last, log: Self.moves(moves, in: rows))
    }

    /// A log of one move among the shown rows, so that the change-set is not empty.
    init(oneMoveIn rows: Int, last: Int?) {
        let row = rows - (last ?? rows) / 2
        self.init(rows: rows, last: last, log: Self.move(row: row, from: row, to: rows - 10))
    }

    private init(rows: Int, last: Int?, log: [RawOperation]) {
        counts = [Self.group: rows]
        var mappings = Mappings(groups: [Self.group])
        let range = last.flatMap { RangeOptions.flexible(length: $0, offset: 0, from: .end) }
        mappings.setRangeOptions(range, forGroup: Self.group)
        mappings.update(counts: counts)
        self.mappings = mappings
        self.log = OperationLog(log)
    }

    var moves: Int { log.count / 2 }

    /// Computes the change-set of the log.
    func advance() throws { keep(try mappings.advanced(by: log, groups: nil, counts: ExactDictionary(counts))) }

    /// The same moves as consecutive logs of so many.
    func parts(of moves: Int) -> [MoveLog] {
        stride(from: 0, to: log.count, by: 2 * moves).map { start in
            var part = self
            part.log = OperationLog(log[start..<min(start + 2 * moves, log.count)])
            return part
        }
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
