import ListChanges

/// A naive model of mappings: no trees, no caches, everything counted each time.
struct NaiveMappings {
    struct Range {
        var isFixed: Bool
        var pinnedToEnd: Bool
        var length: Int
        var offset: Int
        var requestedLength: Int
        var requestedOffset: Int
        var max: Int
        var min: Int
        var growsAtPin: Bool
        var growsAwayFromPin: Bool
    }

    let isDynamic: Bool
    /// The groups that the mappings hold, in order.
    var groups: [Int]
    var counts = [0, 0, 0, 0]
    var isUpdated = false
    var dynamicSections: Set<Int> = []
    var allSectionsDynamic = false
    var reversed: Set<Int> = []
    var ranges: [Int: Range] = [:]
    var dependencies: [Int: Set<Int>] = [:]
    var threshold = 0
    var name: String?

    var shown: [Int] = []
    var shownAs: String?

    /// The indexes of the group that are shown.
    func window(_ group: Int) -> (lower: Int, upper: Int) {
        guard groups.contains(group) else { return (0, 0) }
        guard let range = ranges[group] else { return (0, counts[group]) }
        return range.window(counts[group])
    }

    /// Returns the sections on screen with their rows.
    func screen(_ rows: [[Int]]) -> [(name: String, rows: [Int])] {
        var sections: [(name: String, rows: [Int])] = shown.map { group in
            let (lower, upper) = window(group)
            let part = upper > lower ? Array(rows[group][lower..<upper]) : []
            return (ModelList.names[group], reversed.contains(group) ? part.reversed() : part)
        }
        if let shownAs { sections = [(shownAs, sections.flatMap(\.rows))] }
        return sections
    }

    mutating func update(_ newGroups: [Int]?, _ newCounts: [Int]) {
        if let newGroups { setGroups(newGroups) }
        for group in 0..<4 { counts[group] = groups.contains(group) ? newCounts[group] : 0 }
        for (group, range) in ranges {
            ranges[group] = isUpdated ? range.refit(counts[group]) : range.opened(counts[group])
        }
        isUpdated = true
        decideSections()
    }

    mutating func setGroups(_ newGroups: [Int]) {
        groups = newGroups
        checkName()
    }

    mutating func decideSections() {
        shown = groups.filter { group in
            let (lower, upper) = window(group)
            return upper > lower || !(allSectionsDynamic || dynamicSections.contains(group))
        }
        let total = shown.reduce(0) { $0 + window($1).upper - window($1).lower }
        shownAs = total < threshold ? name : nil
    }

    private mutating func checkName() {
        guard let name, threshold > 0, !groups.contains(where: { ModelList.names[$0] == name }) else {
            (threshold, name) = (0, nil)
            return
        }
    }
}

extension NaiveMappings {
    mutating func perform(_ call: Scenario.Call) {
        let group = ModelList.names.firstIndex(of: call.group ?? "") ?? 0
        switch call.do {
        case "dynamicSection": change(&dynamicSections, group, call.value!)
        case "dynamicSectionAll": allSectionsDynamic = call.value!
        case "reverse": change(&reversed, group, call.value!)
        case "range": setRange(call, group)
        case "removeRange": ranges[group] = nil
        case "dependencies":
            let sign = reversed.contains(group) ? -1 : 1
            dependencies[group] = Set(call.offsets!.filter { $0 != 0 }.map { $0 * sign })
        case "consolidate":
            (threshold, name) = (call.threshold!, call.name)
            checkName()
        default: preconditionFailure("There is no call \(call.do).")
        }
    }

    private func change(_ set: inout Set<Int>, _ group: Int, _ value: Bool) {
        if value { set.insert(group) } else { set.remove(group) }
    }

    private mutating func setRange(_ call: Scenario.Call, _ group: Int) {
        let isFixed = call.kind == "fixed"
        var (max, min) = (Int.max, 0)
        if let wanted = call.max { max = wanted }
        if let wanted = call.min { min = Swift.min(wanted, max) }
        let length = isFixed ? call.length! : Swift.min(Swift.max(call.length!, min), max)
        ranges[group] = Range(
            isFixed: isFixed, pinnedToEnd: (call.from == "end") != reversed.contains(group), length: length,
            offset: call.offset!, requestedLength: length, requestedOffset: call.offset!,
            max: isFixed ? call.length! : max, min: isFixed ? 0 : min,
            growsAtPin: ["pin", "both", nil].contains(call.grow),
            growsAwayFromPin: ["nonpin", "both"].contains(call.grow))
        guard isUpdated else { return }
        ranges[group] = ranges[group]!.opened(groups.contains(group) ? counts[group] : 0)
        decideSections()
    }
}

extension NaiveMappings.Range {
    func opened(_ count: Int) -> Self {
        var range = self
        range.length = Swift.min(length, Swift.max(count - offset, 0))
        return range
    }

    /// The range in a group whose count was replaced without a log.
    func refit(_ count: Int) -> Self {
        var range = self
        if isFixed || length == 0 { range.length = requestedLength }
        range = range.opened(count)
        return isFixed ? range : range.fitted(range.window(count), count)
    }

    func window(_ count: Int) -> (lower: Int, upper: Int) {
        if !pinnedToEnd { return (offset, offset + length) }
        return offset < count ? (count - offset - length, count - offset) : (0, 0)
    }
}
