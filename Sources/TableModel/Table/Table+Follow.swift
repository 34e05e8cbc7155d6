import ListChanges

extension Table {
    /// The selected row's place after a change-set, in a form that the counts afterwards can resolve.
    enum Followed {
        case at(RowPath)
        /// The row is gone, but not its section.
        case near(RowPath)
        /// The row is gone with its section, which came before this one.
        case gap(section: Int)

        func path(in counts: SectionCounts) -> RowPath? {
            switch self {
            case .at(let path): path
            case .near(let path): counts.nearest(to: path)
            case .gap(let section): counts.nearest(toGap: section)
            }
        }
    }

    func followed(_ path: RowPath, _ changes: ChangeSet, _ map: PathMap) -> Followed {
        if let after = map.after(path) { return .at(after) }
        for change in changes.rowChanges where change.type == .move && change.before == path {
            if let after = change.after { return .at(after) }
        }
        guard let section = map.sections.after(path.section) else {
            return .gap(section: map.sections.gap(path.section))
        }
        return .near(RowPath(section: section, row: path.row))
    }

    /// Returns what the table keeps in place after a change-set: the anchor, or the next remaining row that was not
    /// moved.
    func survivingScroll(_ map: PathMap, _ after: any TableSource) -> Scroll {
        guard case .anchored(let anchor) = scroll else { return scroll }
        let candidates =
            [Anchor(place: anchor.place, key: anchor.key, y: anchor.y)]
            + items.filter { $0.place > anchor.place }.map { Anchor(place: $0.place, key: $0.key, y: $0.y) }
        for candidate in candidates {
            if let path = candidate.place.path, let place = map.after(path) {
                return .anchored(Anchor(place: .row(place), key: candidate.key, y: candidate.y))
            }
        }
        if anchor.key == nil, let section = map.sections.after(anchor.place.section), after.header(of: section) != nil {
            return .anchored(Anchor(place: .header(section: section), key: nil, y: anchor.y))
        }
        let start = anchor.place.path ?? RowPath(section: anchor.place.section, row: 0)
        guard let place = nextSurvivor(from: start, map) ?? previousSurvivor(from: start, map) else {
            return .edge(options.opensAt)
        }
        return .anchored(Anchor(place: .row(place), key: after.key(at: place), y: max(0, anchor.y)))
    }

    /// Returns the present path of the first remaining row after a path. Cost: at most the rows named by the
    /// change-set.
    private func nextSurvivor(from start: RowPath, _ map: PathMap) -> RowPath? {
        var path = start
        while path.section < counts.sections {
            while path.row < counts[path.section], map.sections.after(path.section) != nil {
                if let after = map.after(path) { return after }
                path.row += 1
            }
            path = RowPath(section: path.section + 1, row: 0)
        }
        return nil
    }

    private func previousSurvivor(from start: RowPath, _ map: PathMap) -> RowPath? {
        var path = start
        while path.section >= 0 {
            while path.row >= 0, map.sections.after(path.section) != nil {
                if path.row < counts[path.section], let after = map.after(path) { return after }
                path.row -= 1
            }
            path = RowPath(section: path.section - 1, row: counts[path.section - 1] - 1)
        }
        return nil
    }
}
