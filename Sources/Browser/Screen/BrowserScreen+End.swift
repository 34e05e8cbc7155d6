import FileReading
import ScreenPrograms

extension BrowserScreen {
    /// Performs a command in the list. If it leads to rows whose places are not known yet, shows the end of the list at
    /// once if that can be found without counting, and otherwise waits until the rows are counted.
    func goToRow(by command: TableCommand) {
        state.reading.goal = nil
        if state.search?.isFilter != true, let subject = list.subject, list.mustBeCounted(for: command) {
            state.reading.goal = Goal(subject: subject, target: .command(command))
            if command.isNumber { return list.showWhole(at: now()) }
            guard showEnd() else { return }
        } else if [.selectFirst, .selectLast].contains(command) || command.isNumber {
            list.showWhole(at: now())
        }
        list.perform(command, at: now())
        showRow()
    }

    /// Shows the end of an uncounted list. Returns false if it cannot be found yet.
    func showEnd() -> Bool {
        do {
            return try list.showEnd(at: now())
        } catch {
            report(error)
            return false
        }
    }

    /// Whether a command waits for the rows of the list to be counted, with nothing of its result visible yet.
    var isWaitingForCount: Bool {
        guard let goal = state.reading.goal, goal.subject == list.subject, list.whole == nil, list.rows != nil else {
            return false
        }
        if case .row = goal.target { return false }
        return true
    }

    /// The text of the hint line during the wait.
    var countingText: String? {
        guard isWaitingForCount, let content = list.content else { return nil }
        let known = content.counts.values.reduce(0, +)
        return "counting the rows to get there: \(RowCount(known)) so far   Esc stops"
    }
}

extension TableCommand {
    fileprivate var isNumber: Bool { if case .selectNumber = self { true } else { false } }
}
