/// A user's command to a table.
public enum TableCommand: Hashable, Sendable {
    /// Selects the row a number of rows further down.
    case selectNext(Int = 1)
    /// Selects the row a number of rows further up.
    case selectPrevious(Int = 1)
    /// Moves down by a number of pages.
    case pageDown(Int = 1)
    /// Moves up by a number of pages.
    case pageUp(Int = 1)
    /// Moves down by half a page, or so many halves.
    case halfPageDown(Int = 1)
    /// Moves up by half a page, or so many halves.
    case halfPageUp(Int = 1)
    /// Selects the first row and shows the beginning of the list.
    case selectFirst
    /// Selects the last row and shows the end of the list.
    case selectLast
    /// Selects the row with a number, counted from 1 through all sections; the last row if there are fewer.
    case selectNumber(Int)
    /// Scrolls the selected row to the middle.
    case center
    /// Scrolls without selecting; negative is up.
    case scroll(lines: Int)
    /// Selects the row at a line of the table, counted from its top.
    case click(x: Int, y: Int)
    /// Scrolls to the part of the list that a line of the scroll bar represents.
    case dragScrollBar(y: Int)
}

extension TableCommand {
    /// Creates the command of a table for an action; nil if the action is not a table's.
    ///
    /// - Parameter count: The number typed before the key: the rows or pages to go, for `first` and `last` the number
    ///   of the target row.
    public init?(_ action: Action, count: Int? = nil) {
        let times = count ?? 1
        switch action {
        case .next: self = .selectNext(times)
        case .previous: self = .selectPrevious(times)
        case .pageDown: self = .pageDown(times)
        case .pageUp: self = .pageUp(times)
        case .halfPageDown: self = .halfPageDown(times)
        case .halfPageUp: self = .halfPageUp(times)
        case .first: self = count.map(TableCommand.selectNumber) ?? .selectFirst
        case .last: self = count.map(TableCommand.selectNumber) ?? .selectLast
        case .center: self = .center
        case .scrollDown: self = .scroll(lines: times)
        case .scrollUp: self = .scroll(lines: -times)
        default: return nil
        }
    }
}
