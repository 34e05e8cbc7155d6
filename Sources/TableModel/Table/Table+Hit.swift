import ListChanges

/// What is at a position of the screen.
public enum TableHit: Hashable, Sendable {
    case row(RowKey, RowPath)
    case header(section: Int)
    case scrollBar
    case nothing
}

extension Table {
    /// Returns what is visible at a column and a line of the table at a time.
    public func hit(x: Int, y: Int, at time: Double) -> TableHit {
        if options.hasScrollBar, x == width - 1 { return .scrollBar }
        return hit(line: y, at: time)
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
