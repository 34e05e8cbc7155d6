import FileReading
import ScreenPrograms

extension BrowserScreen {
    /// Opens the prompt for a query of the selected full-text index, or of the only one.
    func openFullText() {
        let names = tree.known?.catalog.fullText.map(\.name) ?? []
        if case .fullText(let name, let query)? = list.subject {
            state.prompt = Prompt(.fullText(name: name), TextField(query ?? ""))
        } else if case .fullText(let name)? = tree.selected {
            state.prompt = Prompt(.fullText(name: name))
        } else if let name = names.first, names.count == 1 {
            state.prompt = Prompt(.fullText(name: name))
        } else {
            show(
                notice: names.isEmpty
                    ? "The file has no full-text index." : "Select one of the \(names.count) full-text indexes first.")
        }
    }

    /// Shows the matching rows as a list of their own; without a query all rows of the index.
    func find(_ query: String, inFullText name: String) {
        tree.select(.fullText(name), at: now())
        show(.fullText(name, matching: query.isEmpty ? nil : query))
        move(to: .list)
    }

    /// Returns from the matching rows to all rows. Returns false if neither is on the screen.
    func showAllOfFullText() -> Bool {
        guard case .fullText(let name, matching: _?)? = list.subject else { return false }
        show(.fullText(name, matching: nil))
        return true
    }
}

extension ListSubject {
    var isFullText: Bool { if case .fullText = self { true } else { false } }
}
