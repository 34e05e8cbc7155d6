import FileReading
import ScreenPrograms

extension TreePane {
    /// Unfolds or folds the selected line. Returns false if it cannot be folded.
    @discardableResult
    func toggleFold(at time: Double) -> Bool {
        guard let row = rows.row(at: table.selectedPath), row.fold != .none else { return false }
        setOpen(row.fold == .closed, row.item, at: time)
        return true
    }

    /// Unfolds the selected line. Returns false if that changes nothing.
    func unfold(at time: Double) -> Bool {
        guard let row = rows.row(at: table.selectedPath), row.fold == .closed else { return false }
        setOpen(true, row.item, at: time)
        return true
    }

    /// Folds the selected line, or selects its parent. Returns false if neither is possible.
    func foldOrGoUp(at time: Double) -> Bool {
        guard let row = rows.row(at: table.selectedPath) else { return false }
        if row.fold == .open {
            setOpen(false, row.item, at: time)
        } else if let parent = row.item.parent {
            select(parent, at: time)
        } else {
            return false
        }
        return true
    }

    /// Marks or unmarks a group, to be shown together with others of its view. Returns false for other lines.
    func toggleMark(at time: Double) -> Bool {
        guard let item = selected, case .group(let view, _) = item else { return false }
        // The sections of a list must be groups of one view.
        marked = marked.filter { if case .group(view, _) = $0 { true } else { false } }
        marked.formSymmetricDifference([item])
        rebuild(animated: false, at: time)
        return true
    }

    func clearMarks(at time: Double) {
        guard !marked.isEmpty else { return }
        marked = []
        rebuild(animated: false, at: time)
    }

    /// The marked groups in the order of the tree, if the selected line is one of their view.
    var markedGroups: (view: String, groups: [String])? {
        guard case .group(let view, _)? = selected else { return nil }
        let groups = rows.sections.flatMap(\.rows).filter(\.isMarked).compactMap { row -> String? in
            if case .group(view, let name) = row.item { name } else { nil }
        }
        return groups.count > 1 ? (view, groups) : nil
    }

    private func setOpen(_ isOpen: Bool, _ item: TreeItem, at time: Double) {
        if isOpen { open.insert(item) } else { open.remove(item) }
        rebuild(animated: true, at: time)
    }
}
