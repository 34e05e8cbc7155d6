import ListChanges

/// All changes of a short list in a few edits, and all simple settings.
enum SmallCases {
    /// The rows of the groups: up to four in one, up to four in two together.
    static let lengths: [[Int]] =
        (0...4).map { [$0] } + (0...4).flatMap { first in (0...(4 - first)).map { [first, $0] } }

    /// The calls that configure both groups.
    static let setups: [[Scenario.Call]] = {
        var ranges: [Scenario.Call?] = [nil]
        for kind in ["fixed", "flexible"] {
            for from in ["beginning", "end"] {
                for offset in 0...2 {
                    for length in 1...3 {
                        ranges.append(
                            Scenario.Call(do: "range", kind: kind, length: length, offset: offset, from: from))
                    }
                }
            }
        }
        return ranges.flatMap { range in
            [(false, false), (false, true), (true, false), (true, true)].map { isReversed, isDynamic in
                setup(range, isReversed, isDynamic)
            }
        }
    }()

    private static func setup(_ range: Scenario.Call?, _ isReversed: Bool, _ isDynamic: Bool) -> [Scenario.Call] {
        ["A", "B"].flatMap { group in
            var calls = [Scenario.Call(do: "dynamicSection", group: group, value: isDynamic)]
            if isReversed { calls.append(Scenario.Call(do: "reverse", group: group, value: true)) }
            if var range {
                range.group = group
                calls.append(range)
            }
            return calls
        }
    }

    /// Calls `body` with every sequence of up to `depth` edits of groups of these lengths.
    static func forEachCourse(of lengths: [Int], depth: Int, _ body: (Course) -> Bool) {
        var key = 0
        let groups = lengths.map { length in
            defer { key += length }
            return Array(key..<key + length)
        }
        var open = [ModelList(groups + Array(repeating: [], count: 4 - groups.count))]
        let rows = open[0].groups
        for step in 1...depth {
            open = open.flatMap { $0.successors(groups: lengths.count, newKey: key + step) }
            for list in open {
                var list = list
                list.commit()
                guard body(Course(rows: rows, log: list.takeLog(), newRows: list.groups)) else { return }
            }
        }
    }
}

extension ModelList {
    /// Returns the list after every possible single edit: inserts, deletes, updates, moves and resets.
    fileprivate func successors(groups count: Int, newKey: Int) -> [ModelList] {
        var lists: [ModelList] = []
        func add(_ edit: (inout ModelList) -> Void) {
            var copy = self
            edit(&copy)
            lists.append(copy)
        }
        for group in 0..<count {
            for index in 0...groups[group].count { add { $0.insert(newKey, at: index, in: group) } }
            for index in groups[group].indices {
                add { $0.remove(at: index, in: group) }
                add { $0.update(at: index, in: group, .object) }
                for other in 0..<count {
                    for target in 0...(groups[other].count - (other == group ? 1 : 0)) {
                        add { $0.insert($0.remove(at: index, in: group), at: target, in: other) }
                    }
                }
            }
            if !groups[group].isEmpty { add { $0.reset(group) } }
        }
        return lists
    }
}
