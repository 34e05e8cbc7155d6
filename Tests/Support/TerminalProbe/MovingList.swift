import ListChanges
import TableModel

/// A list over the whole screen that can be animated.
@MainActor struct MovingList {
    private var rows = MovingRows()
    private var table = Table(options: TableOptions(hasScrollBar: false))
    private var lastDrawn = 0.0

    init(size: (width: Int, height: Int), at time: Double) {
        table.resize(width: size.width, height: size.height, source: rows, at: time)
    }

    var nextFrame: Double? { table.nextFrame(after: lastDrawn) }

    /// Moves the first row to the twentieth place and inserts a new one at the top.
    mutating func change(at time: Double) {
        rows.step += 1
        let moved = RowChange(
            type: .move, flags: [], key: rows.key(rows.step - 1), before: RowPath(section: 0, row: 0),
            after: RowPath(section: 0, row: 20), originalGroup: "", finalGroup: "")
        let inserted = RowChange(
            type: .insert, flags: [], key: rows.key(rows.step), before: nil, after: RowPath(section: 0, row: 0),
            originalGroup: "", finalGroup: "")
        let misfit = table.apply(ChangeSet(rowChanges: [moved, inserted]), source: rows, at: time)
        precondition(misfit == nil, "The change-set fits: \(misfit.map(String.init(describing:)) ?? "")")
    }

    mutating func resize(width: Int, height: Int, at time: Double) {
        table.resize(width: width, height: height, source: rows, at: time)
    }

    mutating func draw(into grid: inout Grid, at time: Double) {
        lastDrawn = time
        table.draw(into: &grid, in: grid.bounds, at: time)
    }
}

/// A hundred rows, and one more for each step.
private struct MovingRows: TableSource {
    var step = 0

    let numberOfSections = 1
    func numberOfRows(in section: Int) -> Int { 100 + step }
    func key(_ number: Int) -> RowKey { RowKey(collection: "", key: "new \(number)") }
    func key(at path: RowPath) -> RowKey { RowKey(collection: "", key: name(path.row)) }
    func path(of key: RowKey) -> RowPath? {
        (0..<numberOfRows(in: 0)).first { name($0) == key.key }.map { RowPath(section: 0, row: $0) }
    }

    func cell(at path: RowPath, width: Int) -> RowCell { RowCell([Line(text: "row \(name(path.row))")]) }

    /// Returns the name of a row. The newest is at the top; each step moved the one before it behind the next nineteen.
    private func name(_ row: Int) -> String {
        var order: [String] = ["new 0"] + (1..<100).map { "\($0)" }
        for number in 0..<step {
            order.insert(order.removeFirst(), at: 19)
            order.insert("new \(number + 1)", at: 0)
        }
        return order[row]
    }
}
