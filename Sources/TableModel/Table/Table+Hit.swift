import ListChanges
import TerminalCells

/// What is at a position of the screen.
public enum TableHit: Hashable, Sendable {
    /// A row, by its key and its path.
    case row(RowKey, RowPath)
    /// The header line of a section.
    case header(section: Int)
    /// The column of the scroll bar.
    case scrollBar
    /// No item of the list.
    case nothing
}

extension Table {
    /// Returns what is visible at a column and a line of the table at a time.
    ///
    /// ```swift
    /// if case .row(let key, let path) = table.hit(x: 3, y: 5, at: now) { print(key, path) }
    /// if let command = table.command(for: .press(button: 1), x: 3, y: 5, at: now) {
    ///     table.perform(command, source: rows, at: now)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    ///   - time: seconds of any monotonic clock.
    public func hit(x: Int, y: Int, at time: Double) -> TableHit {
        if options.hasScrollBar, x == width - 1 { return .scrollBar }
        return hit(line: y, at: time)
    }

    /// Returns what the mouse does at a column and a line of the table: the wheel scrolls, a click selects, and the scroll
    /// bar can be dragged. Nil for anything else.
    ///
    /// Example: ``hit(x:y:at:)``.
    ///
    /// - Parameters:
    ///   - mouse: what the mouse did.
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    ///   - time: seconds of any monotonic clock.
    public func command(for mouse: MouseEvent.Kind, x: Int, y: Int, at time: Double) -> TableCommand? {
        let isOnBar = hit(x: x, y: y, at: time) == .scrollBar
        switch mouse {
        case .wheel(let lines): return .scroll(lines: lines)
        case .press(button: 1) where isOnBar, .drag(button: 1) where isOnBar: return .dragScrollBar(y: y)
        case .press(button: 1): return .click(x: x, y: y)
        default: return nil
        }
    }

    func hit(line: Int, at time: Double) -> TableHit {
        if let sticky, line == 0 { return .header(section: sticky.place.section) }
        let there = items.filter { item in
            let y = item.y(at: time)
            return line >= y && line < y + item.height
        }
        let found = there.last { $0.layer(at: time) == .travelling } ?? there.last
        guard let found else { return .nothing }
        switch found.place {
        case .header(let section): return .header(section: section)
        case .row(let path): return found.key.map { .row($0, path) } ?? .nothing
        }
    }
}
