import FileReading
import ScreenPrograms

extension BrowserScreen {
    /// Opens the menu of the fields that rows can be counted by.
    func openCounts() {
        guard let orders = fieldOrders(isDescending: false) else {
            return show(notice: "There is no list to do that in.")
        }
        // While a filter runs, the rows that it finds are not all there.
        guard state.search?.isFilter != true || state.search?.hasEnded == true else {
            return show(notice: "The filter is still looking for rows: count when it is done.")
        }
        state.menu = OpenMenu(menu: fieldMenu("Count by", orders, on: nil), purpose: .countBy(orders))
    }

    func choose(_ index: Int, toCountBy orders: [FieldOrder]) {
        if index < orders.count { return count(by: orders[index]) }
        state.prompt = Prompt(.countBy, TextField(history: state.expressions))
    }

    func count(byExpression text: String) {
        if let order = order(byExpression: text, isDescending: false) { count(by: order) }
    }

    /// Counts the rows that the filter lets pass, of all groups, whatever range is shown: as `--count-by` does.
    private func count(by order: FieldOrder) {
        list.showWhole(at: now())
        guard let content = list.rows?.list.content else { return }
        endCounting()
        move(to: .list)
        let area = state.place(of: .list) ?? Rect(x: 0, y: 0, width: size.width, height: size.height)
        let pane = CountPane(
            order.title, list.table.options, size: (area.width, max(0, area.height - 1)),
            isFocused: state.focus == .list)
        let work = FieldCount(content, order.expression, state.reading.decoder)
        state.counting = Counting(order: order, pane: pane, work: work)
        layOut()
        run(work)
        look(at: work)
    }

    private func run(_ work: FieldCount) {
        let request = state.reading.fieldCounts.begin()
        background.run {
            let ran = Result { try work.run() }
            return (work.result(), ran)
        } then: { [weak self] result in
            guard let self, state.reading.fieldCounts.isCurrent(request), let counting = state.counting,
                case .success((let counts, let ran)) = result
            else { return }
            switch ran {
            case .success:
                counting.pane.show(counts, at: now())
                show(counts.remarks)
            case .failure(let error) where error.isGone: tryAgain(work)
            case .failure(let error):
                endCounting()
                report(error)
            }
            if state.counting?.isStale == true { countAgain() }
            state.screen.redraw()
        }
    }

    /// Looks for a newer state. If there is none, it begins again in the same.
    private func tryAgain(_ work: FieldCount) {
        advance()
        background.run(after: 0.1) {
        } then: { [weak self] _ in
            if self?.state.counting?.work === work { self?.countAgain() }
        }
    }

    /// Shows what is counted so far.
    private func look(at work: FieldCount) {
        guard state.counting?.work === work, !work.progress.isOver else { return }
        state.screen.redraw()
        background.run(after: 0.1) {
            work.result()
        } then: { [weak self] result in
            guard let self, state.counting?.work === work, !work.progress.isOver else { return }
            if case .success(let counts) = result { state.counting?.pane.show(counts, at: now()) }
            look(at: work)
        }
    }

    /// Counts in the newest state, after a commit. The counts before stay on the screen meanwhile.
    func countAgain() {
        guard let counting = state.counting else { return }
        guard counting.work.progress.isOver, let content = list.rows?.list.content,
            state.search?.isFilter != true || state.search?.isRunning == false
        else {
            state.counting?.isStale = true
            return
        }
        let work = FieldCount(content, counting.order.expression, state.reading.decoder)
        state.counting?.work = work
        state.counting?.isStale = false
        run(work)
    }

    /// Shows the list again. Returns false if no counts were shown.
    @discardableResult func endCounting() -> Bool {
        guard let counting = state.counting else { return false }
        counting.work.cancel()
        state.reading.fieldCounts.begin()
        state.counting = nil
        layOut()
        return true
    }

    /// Enter: shows the rows that have the selected value.
    func filterByCount() {
        guard let counting = state.counting, let value = counting.pane.selected?.value else { return }
        endCounting()
        let name = counting.order.expression
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "_.\"".contains($0) }
        let condition = "\(isName ? name : "(\(name))") IS \(value.literal)"
        let current = state.search?.isFilter == true ? state.search : nil
        let pattern = FilterPattern(current?.pattern ?? "").adding(condition).typed
        state.patterns.append(pattern)
        startSearch(pattern, isFilter: true, isKeysOnly: current?.isKeysOnly ?? false)
    }

    var countingByText: String? { state.counting?.progressText }
}
