import LiveTable

extension PanelPart {
    /// Makes the mappings' state of each group: its counts, its settings, and its window drawn over all of its rows.
    static func mappings(_ session: LabSession, width: Int, theme: Theme) -> PanelPart {
        let mappings = session.state.mappings
        var lines = session.stages.map { Line(text: $0.words, theme.secondary) }
        lines += mappings.allGroups.flatMap { group in
            [mappings.line(ofGroup: group, theme)] + mappings.bar(ofGroup: group, width: width, theme)
        }
        let others = session.groupsOfRows.filter { !mappings.allGroups.contains($0) }
        if mappings.allGroups.isEmpty { lines.append(Line(text: "no group", theme.secondary)) }
        if !others.isEmpty { lines.append(Line(text: "left out: \(others.joined(separator: ", "))", theme.secondary)) }
        if mappings.isDynamicSectionForAllGroups { lines.append(Line(text: "all sections are dynamic")) }
        if let name = mappings.consolidatedGroupName {
            let state = mappings.isUsingConsolidatedGroup ? "now" : "not now"
            lines.append(
                [Run("one section \"\(name)\" below \(mappings.autoConsolidateGroupsThreshold) rows: \(state)")])
        }
        return PanelPart(
            title: "MAPPINGS", detail: Line(text: session.setup.groups.source, theme.secondary), lines: lines, least: 2,
            rank: 7)
    }
}

extension MappingsSetup.Groups {
    /// The choice of groups in a word or two.
    fileprivate var source: String {
        switch self {
        case .list: "groups of a list"
        case .dynamic(nil, let order): "all groups, \(order.adverb)"
        case .dynamic(let filter?, let order): "of \(filter.joined(separator: ", ")), \(order.adverb)"
        }
    }
}

extension MappingsSetup.Order {
    var adverb: String { self == .ascending ? "ascending" : "descending" }
}

extension Mappings {
    /// `A  5 of 12  reversed  dynamic  flexible last 5, min 2  looks at -1`
    fileprivate func line(ofGroup group: String, _ theme: Theme) -> Line {
        let count = fullCount(inGroup: group)
        let shown = rangePosition(forGroup: group).length
        let isHidden = !isUsingConsolidatedGroup && section(forGroup: group) == nil
        let words = [
            shown == count ? "\(count)" : "\(shown) of \(count)", isHidden ? "hidden" : nil,
            isDynamicSection(forGroup: group) ? "dynamic" : nil, isReversed(forGroup: group) ? "reversed" : nil,
            rangeOptions(forGroup: group)?.words, dependencyWords(ofGroup: group),
        ]
        return [Run(group + "  ", theme.header), Run(words.compactMap(\.self).joined(separator: "  "))]
    }

    private func dependencyWords(ofGroup group: String) -> String? {
        let offsets = cellDrawingDependencyOffsets(forGroup: group).sorted()
        return offsets.isEmpty ? nil : "looks at " + offsets.map { $0 > 0 ? "+\($0)" : "\($0)" }.joined(separator: " ")
    }

    /// Returns a bar of the whole group with the window in it, if there is room; empty for a group that is shown
    /// completely.
    fileprivate func bar(ofGroup group: String, width: Int, _ theme: Theme) -> [Line] {
        let count = fullCount(inGroup: group)
        guard rangeOptions(forGroup: group) != nil, count > 0 else { return [] }
        let position = rangePosition(forGroup: group)
        let length = max(1, min(count, width - 4, 60))
        let start = position.offsetFromBeginning * length / count
        let end = max(start + min(1, position.length), (count - position.offsetFromEnd) * length / count)
        let (inside, outside) = theme.unicode == .ascii ? ("#", ".") : ("█", "░")
        return [
            [
                Run("   "), Run(String(repeating: outside, count: start), theme.secondary),
                Run(String(repeating: inside, count: end - start), Style(theme.accent)),
                Run(String(repeating: outside, count: max(0, length - end)), theme.secondary),
            ]
        ]
    }
}

extension RangeOptions {
    /// `flexible last 5, offset 2, 2 to 8 rows, grows at both ends`
    var words: String {
        var words =
            "\(isFixedRange ? "fixed" : "flexible") \(pin == .beginning ? "first" : "last") "
            + "\(isFixedRange ? maxLength : length)"
        if offset > 0 { words += ", offset \(offset)" }
        guard isFlexibleRange else { return words }
        switch (minLength > 0, maxLength < Int.max) {
        case (true, true): words += ", \(minLength) to \(maxLength) rows"
        case (true, false): words += ", at least \(minLength)"
        case (false, true): words += ", at most \(maxLength)"
        case (false, false): break
        }
        switch growOptions {
        case .nonPinSide: words += ", grows at the other end"
        case .onBothSides: words += ", grows at both ends"
        case .inRangeOnly: words += ", grows inside only"
        default: break
        }
        return words
    }
}
