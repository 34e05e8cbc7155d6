import ListChanges

extension Table {
    /// Shows the rows after a change-set and animates the changes from what is on the screen now.
    ///
    /// Cost: O(k log k) for the change-set's k changes, one access to each section's count, and the visible rows.
    ///
    /// A table that was neither laid out nor loaded before shows the rows without animation.
    ///
    /// ```swift
    /// let changes = ChangeSet(rowChanges: [])
    /// if let misfit = table.apply(changes, source: rows, at: now) { print(misfit) }
    /// ```
    ///
    /// - Parameters:
    ///   - changes: what leads from the rows shown to those of `after`.
    ///   - after: the rows after the changes.
    ///   - time: seconds of any monotonic clock.
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
        let named = VisibleChanges(changes, leaving: items.compactMap(\.place.path))
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
        adopt(items(layout), layout)
        countNewBelow(changes)
        animate(from: shown.items, shown.leaving, changes, map, at: time)
    }

    /// Returns the visible rows that no change names, at their places afterwards.
    private func survivors(_ map: PathMap, _ named: VisibleChanges) -> [Item] {
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

extension Table {
    /// Sets everything that can be seen in motion from where it is on the screen to where the new layout has it.
    ///
    /// - Parameters:
    ///   - before: What was laid out before the change-set, and `leavingBefore`, the items that were leaving.
    mutating func animate(
        from before: [Item], _ leavingBefore: [Item], _ changes: ChangeSet, _ map: PathMap, at time: Double
    ) {
        leaving = []
        guard options.motion != .none else { return }
        var stage = Stage(before, leavingBefore, changes, map, after: items, height: height, time: time)
        stage.reduced = options.motion == .reduced
        stage.newAtOnce = options.showsNewRowsAtOnce
        items = stage.arriving()
        if !stage.reduced { leaving = stage.departing() }
    }
}
