import FileReading
import LiveTable

extension ListPane {
    /// Shows what a commit left, moving what it moved.
    /// - Returns: a misfit, if the change-set does not lead to the rows that are there; these are shown all the same.
    func follow(_ outcome: Outcome, at time: Double) -> Misfit? {
        guard let rows else { return nil }
        rows.forget()
        switch outcome {
        case .none: return nil
        case .changes(let changes):
            var misfit: Misfit?
            update { misfit = $0.apply(changes, source: $1, at: time) }
            return misfit
        case .reload:
            reloadTable(at: time)
            return nil
        }
    }

    /// While the rows cannot be read, as when somebody writes over an unlocked file, what was selected is kept in mind.
    func reloadTable(at time: Double) {
        let wanted = lostSelection ?? table.selection
        // A row that could not be read when it was selected is known by its place alone.
        let place = table.selection?.rowid == nil ? table.selectedPath : nil
        update { $0.reload(source: $1, at: time) }
        if let place { update { $0.select(place, source: $1, at: time) } }
        guard let rows, rows.hasError else {
            if let wanted, lostSelection != nil, let path = rows?.path(of: wanted) {
                update { $0.select(path, source: $1, at: time) }
            }
            return lostSelection = nil
        }
        lostSelection = wanted
    }
}
