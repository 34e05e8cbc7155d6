import Foundation
import ListChanges
import TableModel
import TerminalCells
import TerminalScreen

/// A table with the verbs of UIKit's table view, for code that animates change-sets by hand.
///
/// ```swift
/// tableView.beginUpdates()
/// try tableView.deleteRows(at: [IndexPath(row: 3, section: 0)], with: .automatic)
/// try tableView.insertRows(at: [IndexPath(row: 0, section: 1)], with: .automatic)
/// try tableView.endUpdates()
/// ```
///
/// Its ``dataSource`` says what the rows are; the table asks for the cells of those on the screen. ``LiveTable`` needs neither
/// verbs nor a data source: it applies the change-sets of its mappings itself.
@MainActor public final class TableView {
    /// What the table shows. The table does not keep it alive; without one it is empty.
    public weak var dataSource: (any TableViewDataSource)?
    /// The layout, the scroll position, the selection and the animations.
    public private(set) var table: Table

    private let clock: () -> Double
    private lazy var rows = RowIdentifiers(self)
    private var updates = TableUpdates()
    /// The number of blocks of updates that are open.
    private var depth = 0
    private var isAnimated = false

    /// Creates a table without rows and without a size.
    ///
    /// `clock` is called on the main thread.
    ///
    /// ```swift
    /// let tableView = TableView(options: TableOptions(motion: .reduced))
    /// tableView.dataSource = contacts
    /// ```
    ///
    /// - Parameter clock: the seconds of any monotonic clock, for animations.
    public init(options: TableOptions = TableOptions(), clock: @escaping () -> Double = EventLoop.monotonicSeconds) {
        table = Table(options: options)
        self.clock = clock
    }

    /// Shows the present rows of the data source without animation. Selection and scroll position keep their index paths.
    ///
    /// O(visible rows), and one count for each section.
    ///
    /// ```swift
    /// tableView.reloadData()
    /// print(tableView.numberOfSections, tableView.numberOfRows(inSection: 0))
    /// ```
    public func reloadData() {
        rows.dropMissing()
        update { table, rows in table.reload(source: rows, at: clock()) }
    }

    /// Sets the size in columns and lines. The first call loads the rows.
    ///
    /// ```swift
    /// tableView.resize(width: 80, height: 24)
    /// var grid = Grid(width: 80, height: 24)
    /// tableView.draw(into: &grid, in: Rect(x: 0, y: 0, width: 80, height: 24))
    /// ```
    ///
    /// - Parameters:
    ///   - width: columns.
    ///   - height: lines.
    public func resize(width: Int, height: Int) {
        update { table, rows in table.resize(width: width, height: height, source: rows, at: clock()) }
    }

    /// Draws the rows, where their animations are now, into a part of a grid.
    ///
    /// Example: ``resize(width:height:)``.
    ///
    /// - Parameters:
    ///   - grid: what is drawn into.
    ///   - area: the part of the grid; it should have the table's size.
    public func draw(into grid: inout Grid, in area: Rect) { table.draw(into: &grid, in: area, at: clock()) }

    /// Changes the table with access to its rows: selects, scrolls or performs a command.
    ///
    /// The closure runs on the main thread.
    ///
    /// ```swift
    /// tableView.update { table, rows in _ = table.perform(.selectNext(), source: rows, at: now) }
    /// ```
    ///
    /// - Throws: what the closure throws.
    public func update<Value>(_ change: (inout Table, any TableSource) throws -> Value) rethrows -> Value {
        // A copy, because the data source may ask this table while it is asked itself.
        var changed = table
        defer { table = changed }
        return try change(&changed, rows)
    }

    /// The number of sections that the table shows. The data source may be ahead of it.
    public var numberOfSections: Int { table.numberOfSections }

    /// Returns the number of rows of a section that the table shows; 0 if there is no such section.
    ///
    /// Example: ``reloadData()``.
    public func numberOfRows(inSection section: Int) -> Int { table.numberOfRows(in: section) }

    /// Returns the cell of a row that is on the screen; nil for any other.
    ///
    /// Asks the data source for the cell.
    ///
    /// ```swift
    /// if let cell = tableView.cellForRow(at: IndexPath(row: 0, section: 0)) { print(cell.lines.count) }
    /// ```
    public func cellForRow(at indexPath: IndexPath) -> RowCell? {
        let path = RowPath(indexPath)
        return table.isVisible(path) ? rows.cell(at: path, width: table.width) : nil
    }
}

extension TableView {
    /// How a change is shown.
    public enum RowAnimation: Hashable, Sendable {
        /// As the table's ``TableOptions/motion`` says: rows fade in and out, and slide.
        case automatic
        /// At once, if all changes of the block are made so.
        case none
    }

    /// Begins a block of updates, which become one change of the table at the ``endUpdates()`` that belongs to it.
    ///
    /// In a block the order of the calls has no meaning: deleted, reloaded and moved rows and sections are named by their
    /// positions before it, inserted ones and destinations by those after it.
    public func beginUpdates() { depth += 1 }

    /// Ends a block of updates: shows the present rows of the data source and animates what the block named.
    ///
    /// O(k log k) for k changes, and the rows on the screen.
    ///
    /// - Throws: a `Misfit` if the updates do not lead from the rows shown to those of the data source, where UIKit raises an
    ///   exception. The table shows the present rows in any case, then without animation.
    /// - Precondition: ``beginUpdates()`` was called.
    public func endUpdates() throws(Misfit) {
        require(depth > 0, "endUpdates() needs a beginUpdates() before it.")
        depth -= 1
        if depth == 0 { try finish() }
    }

    /// Adds sections, at their indexes after the updates, with all their rows.
    ///
    /// ```swift
    /// tableView.beginUpdates()
    /// try tableView.insertSections([1], with: .automatic)
    /// try tableView.moveRow(at: IndexPath(row: 0, section: 0), to: IndexPath(row: 2, section: 0))
    /// try tableView.reloadRows(at: [IndexPath(row: 3, section: 0)], with: .automatic)
    /// try tableView.endUpdates()
    /// ```
    ///
    /// - Parameters:
    ///   - sections: the indexes after the updates.
    ///   - animation: whether rows fade and slide, or change at once.
    /// - Throws: as ``endUpdates()``; inside a block nothing.
    public func insertSections(_ sections: IndexSet, with animation: RowAnimation) throws(Misfit) {
        try add(animation) { $0.insertSections(sections) }
    }

    /// Removes sections, by their indexes before the updates, with all their rows.
    ///
    /// ```swift
    /// try tableView.deleteSections([1], with: .none)   // alone, without a block of updates
    /// ```
    ///
    /// - Parameters:
    ///   - sections: the indexes before the updates.
    ///   - animation: whether rows fade and slide, or change at once.
    /// - Throws: as ``endUpdates()``; inside a block nothing.
    public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) throws(Misfit) {
        try add(animation) { $0.deleteSections(sections) }
    }

    /// Adds rows, at their positions after the updates.
    /// - Parameters:
    ///   - indexPaths: the positions after the updates.
    ///   - animation: whether rows fade and slide, or change at once.
    /// - Throws: as ``endUpdates()``; inside a block nothing.
    public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) throws(Misfit) {
        try add(animation) { $0.insertRows(at: indexPaths.map { RowPath($0) }) }
    }

    /// Removes rows, by their positions before the updates.
    /// - Parameters:
    ///   - indexPaths: the positions before the updates.
    ///   - animation: whether rows fade and slide, or change at once.
    /// - Throws: as ``endUpdates()``; inside a block nothing.
    public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) throws(Misfit) {
        try add(animation) { $0.deleteRows(at: indexPaths.map { RowPath($0) }) }
    }

    /// Moves a row from a position before the updates to one after them. Unlike UIKit's table it also draws the row again.
    ///
    /// Example: ``insertSections(_:with:)``.
    ///
    /// - Parameters:
    ///   - indexPath: the position before the updates.
    ///   - newIndexPath: the position after them.
    /// - Throws: as ``endUpdates()``; inside a block nothing.
    public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) throws(Misfit) {
        try add(.automatic) { $0.moveRow(at: RowPath(indexPath), to: RowPath(newIndexPath)) }
    }

    /// Draws rows again, by their positions before the updates.
    ///
    /// Example: ``insertSections(_:with:)``.
    ///
    /// - Parameters:
    ///   - indexPaths: the positions before the updates.
    ///   - animation: whether rows fade and slide, or change at once.
    /// - Throws: as ``endUpdates()``; inside a block nothing.
    public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) throws(Misfit) {
        try add(animation) { $0.reloadRows(at: indexPaths.map { RowPath($0) }) }
    }

    private func add(_ animation: RowAnimation, _ change: (inout TableUpdates) -> Void) throws(Misfit) {
        change(&updates)
        if animation == .automatic { isAnimated = true }
        if depth == 0 { try finish() }
    }

    private func finish() throws(Misfit) {
        let (done, isAnimated) = (updates, isAnimated)
        updates = TableUpdates()
        self.isAnimated = false
        rows.follow(done)
        let misfit = update { table, rows in
            let misfit = table.apply(done.changes, source: rows, at: clock())
            if !isAnimated, !done.isEmpty { table.finishAnimation() }
            return misfit
        }
        guard let misfit else { return }
        rows.dropMissing()
        throw misfit
    }
}
