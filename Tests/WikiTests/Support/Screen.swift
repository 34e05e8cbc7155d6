/// A table view that is large enough for every test, and the time on its clock.
@MainActor final class Screen {
    let tableView: UITableView
    private let clock = Clock()

    private final class Clock { var now = 100.0 }

    init() {
        let options = TableOptions(
            theme: Theme(depth: .monochrome), selects: false, hasGutter: false, hasScrollBar: false)
        tableView = UITableView(options: options) { [clock] in clock.now }
    }

    /// The texts of the rows that are drawn once everything is at rest, for each section.
    var rows: [[String]] {
        tableView.resize(width: 60, height: 400)
        clock.now += 10
        var grid = Grid(width: 60, height: 400)
        tableView.draw(into: &grid, in: grid.bounds)
        var lines = grid.lines[...]
        return (0..<tableView.numberOfSections).map { section in
            defer { lines = lines.dropFirst(tableView.numberOfRows(inSection: section)) }
            return Array(lines.prefix(tableView.numberOfRows(inSection: section)))
        }
    }

    /// Whether rows move, appear or disappear now.
    var isAnimating: Bool { tableView.table.isAnimating(at: clock.now) }
}

/// Returns when the main queue has done what it had to do.
@MainActor func mainQueueIsEmpty() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
}
