import FileReading
import LiveTable
import ObjectDecoding

/// A menu on the screen and the effects of its choices.
struct OpenMenu {
    var menu: Menu
    /// Performs a choice; returns the updated menu, or nil to close it.
    var choose: @MainActor (_ index: Int) -> Menu?
    /// Changes the width of the column of a choice; nil if choices have none.
    var adjust: (@MainActor (_ index: Int, WidthChange) -> Menu?)?
}

extension BrowserScreen {
    func handleMenu(_ action: Action, _ count: Int?) {
        guard var open = menu else { return }
        if let adjust = open.adjust, let change = WidthChange(action, count: count) {
            if let next = adjust(open.menu.selected, change) { menu?.menu.choices = next.choices }
            return
        }
        apply(open.menu.handle(action, count: count), &open)
    }

    func apply(_ outcome: Menu.Outcome, _ open: inout OpenMenu) {
        switch outcome {
        case .nothing: menu = open
        case .closed: menu = nil
        case .chosen(let index):
            menu = nil
            if let next = open.choose(index) {
                open.menu.choices = next.choices
                menu = open
            }
        }
    }

    // MARK: Decoders

    func openDecoders() {
        guard let collection = selectedCollection else {
            return notice = Notice("Select a row: the choice is for its collection.")
        }
        let formats = ObjectFormat.allCases
        let now = decoder.formats[collection]?.first
        let choices =
            [Menu.Choice(title: "automatic", detail: "what fits", isOn: now == nil)]
            + formats.map { Menu.Choice(title: $0.title, isOn: $0 == now) }
        menu = OpenMenu(menu: Menu("Decode \(collection.text) as", choices)) { [weak self] index in
            self?.decode(collection, as: index == 0 ? nil : formats[index - 1])
            return nil
        }
    }

    private var selectedCollection: StoredText? {
        if case .collection(let name, _)? = list.subject { return name }
        return list.selectedTexts.map { StoredText($0.collection) }
    }

    private func decode(_ collection: StoredText, as format: ObjectFormat?) {
        decoder.formats[collection] = format.map { [$0] }
        list.rows?.decoder = decoder
        list.rows?.chooseColumns()
        list.reload(at: now())
        refreshRow()
    }
}
