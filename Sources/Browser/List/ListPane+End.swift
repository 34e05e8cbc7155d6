import FileReading
import ScreenPrograms

extension ListPane {
    /// Shows only the last rows while the number of rows before them is unknown.
    /// - Returns: false if they cannot be found before the rows are counted.
    func showEnd(at time: Double) throws -> Bool {
        if whole != nil { return true }
        guard let content, let end = try content.end() else { return false }
        replace(end, of: content, at: time)
        return true
    }

    /// Shows the whole list again, as far as it is known.
    func showWhole(at time: Double) {
        if let whole { replace(whole, at: time) }
    }

    /// Shows another state of the list, or of its end if that is shown.
    func renew(_ content: ListContent, at time: Double) {
        if whole != nil, let end = try? content.end() { return replace(end, of: content, at: time) }
        replace(content, at: time)
    }

    /// Whether a command leads to rows whose places are not known yet.
    func mustBeCounted(for command: TableCommand) -> Bool {
        guard let content, !content.isComplete else { return false }
        let known = content.counts.values.reduce(0, +)
        switch (command, selection.range) {
        case (.selectFirst, .last), (.selectLast, .last), (.selectNumber, .last): return true
        case (.selectFirst, .all): return selection.isReversed
        case (.selectLast, .all): return !selection.isReversed
        case (.selectFirst, .first(let count)): return selection.isReversed && known < count
        case (.selectLast, .first(let count)): return !selection.isReversed && known < count
        case (.selectNumber(let number), let range):
            if case .first(let count) = range, known >= count { return false }
            return selection.isReversed || number > known
        default: return false
        }
    }
}
