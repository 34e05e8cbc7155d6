import LiveTable

extension BrowserScreen {
    func copyValue() {
        switch state.focus {
        case .tree: copy(tree.selectedTitle, what: "the name")
        case .list: copy(list.selectedTexts?.key, what: "the key")
        case .row: copy(row.copiedValue, what: "the value")
        }
    }

    func copyPath() {
        switch state.focus {
        case .tree: copy(tree.selectedTitle, what: "the name")
        case .list: copy(list.selectedTexts.map { "\($0.collection)/\($0.key)" }, what: "the path")
        case .row: copy(row.copiedPath, what: "the path")
        }
    }

    private func copy(_ text: String?, what: String) {
        guard let text else { return show(notice: "There is nothing to copy here.") }
        let notice = "Copied \(what), \(text.utf8.count) bytes, as far as the terminal allows it."
        state.screen.request(.copy(text, notice: notice))
    }
}
