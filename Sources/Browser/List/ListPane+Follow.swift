import FileReading
import ScreenPrograms

extension ListPane {
    /// Shows the state after a commit and animates the rows that it moved.
    /// - Returns: a misfit if the change-set does not lead to the present rows; these are shown in any case.
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

    /// Reloads the table. If the rows cannot be read, for example while another program writes to an unlocked file,
    /// remembers the selected row.
    func reloadTable(at time: Double) {
        let wanted = lostSelection ?? table.selection
        // A row that could not be read when it was selected is identified by its place only.
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
