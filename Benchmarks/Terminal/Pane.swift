import ListChanges
import TableModel

/// A table over a whole screen, and the rows in it.
@MainActor struct Pane {
    let terminal: PseudoTerminal
    var rows: MessageRows
    var table: Table
    /// Seconds of a simulated clock.
    var time = 0.0

    init(_ terminal: PseudoTerminal, rows: Int, motion: MotionLevel = .full) {
        self.terminal = terminal
        self.rows = MessageRows(count: rows)
        table = Table(options: TableOptions(motion: motion))
        table.resize(width: PseudoTerminal.width, height: PseudoTerminal.height, source: self.rows, at: time)
        show()
    }

    /// Draws the table and writes the changes.
    func show() { terminal.screen.show(draw()) }

    @discardableResult func draw() -> Grid {
        var grid = Grid(width: PseudoTerminal.width, height: PseudoTerminal.height)
        table.draw(into: &grid, in: grid.bounds, at: time)
        return grid
    }

    /// Lets all animations end and shows the result.
    mutating func settle() {
        time += 10
        show()
    }

    /// Changes the text of a visible row.
    mutating func edit(_ row: Int) {
        rows.edits[row, default: 0] += 1
        let path = RowPath(section: 0, row: row)
        let change = RowChange(
            type: .update, flags: .object, key: rows.key(at: path), before: path, after: path, originalGroup: "",
            finalGroup: "")
        let misfit = table.apply(ChangeSet(rowChanges: [change]), source: rows, at: time)
        precondition(misfit == nil, "An update fits.")
    }
}
