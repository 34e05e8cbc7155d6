import FileReading

extension BrowserScreen {
    func reverse() {
        list.change(at: now()) { $0.selection.isReversed.toggle() }
        showRow()
    }

    /// Switches between the orders of the list, or opens a menu if there are more than two.
    func sort() {
        let orders = self.orders(of: list.subject)
        guard orders.count > 1, let now = orders.firstIndex(where: { $0.subject == list.subject }) else {
            return show(notice: "Only collections and indexes have a choice of order.")
        }
        if orders.count == 2 { return sort(orders[1 - now].subject) }
        let choices = orders.enumerated().map { Menu.Choice(title: $1.title, isOn: $0 == now) }
        state.menu = OpenMenu(menu: Menu("Sorted by", choices), purpose: .order(orders.map(\.subject)))
    }

    /// Returns the same rows in each available order.
    private func orders(of subject: ListSubject?) -> [(title: String, subject: ListSubject)] {
        switch subject {
        case .collection(let name, _):
            return [("key", .collection(name, by: .key)), ("as stored", .collection(name, by: .rowid))]
        case .index(let name, _):
            let columns = tree.known?.catalog.indexes.first { $0.name == name }?.columns ?? []
            return [("as stored", .index(name, by: nil))] + columns.map { ($0, .index(name, by: $0)) }
        default: return []
        }
    }

    /// Shows the rows in another order. Range, reversal, columns, search and filter stay.
    func sort(_ subject: ListSubject) {
        let (rowid, searched) = (list.selectedRowid, state.search)
        if case .collection(let name, let order) = subject { state.reading.orders[name] = order }
        list.copySettings(to: subject)
        if case .index(let name, let column) = subject {
            tree.select(column.map { .column(index: name, name: $0) } ?? .index(name), at: now())
        }
        if let rowid { state.reading.goal = Goal(subject: subject, target: .row(rowid)) }
        show(subject, searching: searched)
    }
}
