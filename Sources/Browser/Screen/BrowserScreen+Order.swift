import FileBrowser

extension BrowserScreen {
    func reverse() {
        list.change(at: now()) { $0.selection.isReversed.toggle() }
        showRow()
    }

    func sort() {
        guard case .collection(let name, let order)? = list.subject else {
            return notice = Notice("Only collections have an order to choose; views have their own.")
        }
        let other: ListSubject.RowOrder = order == .key ? .rowid : .key
        orders[name] = other
        let rowid = list.selectedRowid
        show(.collection(name, by: other))
        if let rowid { goal = Goal(subject: .collection(name, by: other), target: .row(rowid)) }
    }
}
