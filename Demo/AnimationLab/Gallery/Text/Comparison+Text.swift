import LiveTable

extension Comparison {
    /// Returns the step side by side, as plain text.
    ///
    /// - Parameter other: the author and source of the other answer.
    func lines(other words: OtherAnswer?) -> [String] {
        var columns = TextColumns()
        let changes = ours.changes.rowChanges
        let (old, new) = (Set(changes.compactMap(\.before)), Set(changes.compactMap(\.after)))
        columns.add("BEFORE", before.shown.lines(notable: old))
        columns.add("OUR CHANGES GIVE", ours.lines(notable: new))
        columns.add("A RELOAD SHOWS", after.shown.lines(notable: new))
        if let other, let words {
            let title = words.name == "the original" ? "THE ORIGINAL'S GIVE" : "THE TEMPTING ONES GIVE"
            columns.add(title, other.lines(notable: new))
        }
        var lines = ranges + columns.lines.map { "  \($0)" } + ["", "  We say:"] + explained(ours)
        if let other, let words { lines += ["", "  \(words.heading)"] + explained(other) }
        return lines
    }

    private func explained(_ applied: AppliedChanges) -> [String] {
        let changes = applied.changes.lines(from: before.shown, to: after.shown).map { "    \($0)" }
        return (applied.verdict == .endless ? [] : changes)
            + applied.verdict.text.wrapped(at: GalleryEntry.textWidth, indent: "  ")
    }

    /// The ranges of the groups and the part of each that they show, before and after.
    private var ranges: [String] {
        let groups = after.mappings.allGroups.filter { after.mappings.rangeOptions(forGroup: $0) != nil }
        let lines = groups.map { group in
            let (old, new) = (before.mappings.rangeText(group), after.mappings.rangeText(group))
            return "  \(group) shows \(old == new ? new : "\(old) -> \(new)")"
        }
        return lines.isEmpty ? [] : lines + [""]
    }
}

extension AppliedChanges {
    fileprivate func lines(notable: Set<RowPath>) -> [String] {
        switch (rows, verdict) {
        case (let rows?, _): rows.lines(notable: notable, wrong: wrongPaths)
        case (nil, .endless): ["(it never ends)"]
        case (nil, _): ["(an exception)"]
        }
    }
}

extension OtherAnswer {
    fileprivate var heading: String {
        name == "the original" ? "The original says (\(source)):" : "The tempting answer (\(source)):"
    }
}

extension Mappings {
    /// `3 of 12 rows, offset 2 from the end`
    fileprivate func rangeText(_ group: String) -> String {
        guard let range = rangeOptions(forGroup: group) else { return "all rows" }
        let pin = range.pin == .beginning ? "beginning" : "end"
        return "\(range.length) of \(fullCount(inGroup: group)) rows, offset \(range.offset) from the \(pin)"
    }
}
