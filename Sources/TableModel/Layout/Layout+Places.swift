import ListChanges

extension Layout {
    var first: Place? { firstPlace(from: 0) }
    var last: Place? { lastPlace(from: counts.sections - 1) }

    func next(after place: Place) -> Place? {
        let row = place.path.map { $0.row + 1 } ?? 0
        if row < counts[place.section] { return .row(RowPath(section: place.section, row: row)) }
        return firstPlace(from: place.section + 1)
    }

    func previous(before place: Place) -> Place? {
        guard case .row(let path) = place else { return lastPlace(from: place.section - 1) }
        if path.row > 0 { return .row(RowPath(section: path.section, row: path.row - 1)) }
        if source.header(of: path.section) != nil { return .header(section: path.section) }
        return lastPlace(from: path.section - 1)
    }

    private func firstPlace(from start: Int) -> Place? {
        var section = start
        while section < counts.sections {
            if source.header(of: section) != nil { return .header(section: section) }
            if counts[section] > 0 { return .row(RowPath(section: section, row: 0)) }
            section += 1
        }
        return nil
    }

    private func lastPlace(from start: Int) -> Place? {
        var section = start
        while section >= 0 {
            if counts[section] > 0 { return .row(RowPath(section: section, row: counts[section] - 1)) }
            if source.header(of: section) != nil { return .header(section: section) }
            section -= 1
        }
        return nil
    }
}
