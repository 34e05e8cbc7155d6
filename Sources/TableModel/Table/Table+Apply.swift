import ListChanges

extension Table {
    /// Shows the rows after a change-set and animates the changes from what is on the screen now.
    ///
    /// Cost: O(k log k) for the change-set's k changes, one access to each section's count, and the visible rows.
    ///
    /// A table that was neither laid out nor loaded before shows the rows without animation.
    ///
    /// - Returns: nil, or what does not fit if the change-set does not lead from the rows shown to those of `after`;
    ///   these are shown in any case, then without animation.
    public mutating func apply(_ changes: ChangeSet, source after: any TableSource, at time: Double) -> Misfit? {
        guard isLoaded else {
            reload(source: after, at: time)
            return nil
        }
        let before = counts
        do throws(MisfitReason) {
            let map = try PathMap(changes, before: counts, after: after)
            try check(changes, map, after)
            if !redraw(changes, after, at: time) { show(changes, map, after, at: time) }
            return nil
        } catch {
            reload(source: after, at: time)
            return Misfit(
                reason: error.text, changes: changes, countsBefore: before.counts, countsAfter: counts.counts)
        }
    }

    private mutating func show(_ changes: ChangeSet, _ map: PathMap, _ after: any TableSource, at time: Double) {
        let shown = (items: items, leaving: leaving)
        let named = NamedRows(changes, leaving: items.compactMap(\.place.path))
        let known = survivors(map, named)
        let anchored = survivingScroll(map, after)
        let selected = selectedPath.map { followed($0, changes, map) }

        let countsBefore = counts
        updateCounts(map, after)
        shiftHeights(changes, map, before: countsBefore)
        range = after.rangePosition
        scroll = anchored
        selectedPath = selected.flatMap { $0.path(in: counts) }
        selection = selectedPath.map(after.key(at:))

        let layout = layout(after, known: known)
        settle(items(layout), layout)
        countNewBelow(changes)
        animate(from: shown.items, shown.leaving, changes, map, at: time)
    }

    /// Returns the visible rows that no change names, at their places afterwards.
    private func survivors(_ map: PathMap, _ named: NamedRows) -> [Item] {
        items.compactMap { item in
            guard let path = item.place.path, named.before[path] == nil, let after = map.after(path) else { return nil }
            var survivor = item
            survivor.place = .row(after)
            return survivor
        }
    }

    private mutating func updateCounts(_ map: PathMap, _ after: any TableSource) {
        guard map.sections.isIdentity else {
            counts = SectionCounts(of: after)
            return
        }
        for section in map.touchedSections { counts.set(after.numberOfRows(in: section), in: section) }
    }

    private mutating func countNewBelow(_ changes: ChangeSet) {
        guard let last = items.last, options.follows.contains(.end), scroll != .edge(.end) else {
            newBelow = 0
            return
        }
        let end = last.place
        let unseen = changes.rowChanges.count { change in
            change.type == .insert && change.after.map { Place.row($0) > end } ?? false
        }
        newBelow = min(newBelow + unseen, rowsBelow(end))
    }
}

/// The changes of the few visible rows, found in one pass over the change-set.
struct NamedRows {
    /// By the row's path before.
    private(set) var before: [RowPath: RowChange] = [:]
    /// By the row's path after.
    private(set) var after: [RowPath: RowChange] = [:]

    /// Finds the changes of rows that were at some paths.
    init(_ changes: ChangeSet, leaving places: [RowPath]) {
        guard let first = places.min(), let last = places.max() else { return }
        for change in changes.rowChanges where change.type != .insert {
            if let path = change.before, path >= first, path <= last { before[path] = change }
        }
    }

    /// Finds the changes of rows that are at some paths now.
    init(_ changes: ChangeSet, arriving places: [RowPath]) {
        guard let first = places.min(), let last = places.max() else { return }
        for change in changes.rowChanges where change.type != .delete {
            if let path = change.after, path >= first, path <= last { after[path] = change }
        }
    }
}
