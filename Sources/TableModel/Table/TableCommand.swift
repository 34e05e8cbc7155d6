/// What a person can do with a table.
public enum TableCommand: Hashable, Sendable {
    /// Selects the row so many rows further down.
    case selectNext(Int = 1)
    /// Selects the row so many rows further up.
    case selectPrevious(Int = 1)
    case pageDown(Int = 1)
    case pageUp(Int = 1)
    case halfPageDown(Int = 1)
    case halfPageUp(Int = 1)
    case selectFirst
    case selectLast
    /// Selects the row with a number, counted from 1 through all sections; the last one when there are fewer.
    case selectNumber(Int)
    /// Scrolls so that the selected row is in the middle.
    case center
    /// Scrolls without selecting; negative is up.
    case scroll(lines: Int)
    /// Selects the row that is seen at a line of the table, counted from its top.
    case click(x: Int, y: Int)
    /// Scrolls to where a line of the scroll bar stands for.
    case dragScrollBar(y: Int)
}

extension TableCommand {
    /// What a table does for an action; nil when the action is none of a table's.
    ///
    /// - Parameter count: The number typed before the key: rows or pages to go, for `first` and `last` the number of the
    ///   row to go to.
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
