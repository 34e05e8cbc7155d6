/// The sections of groups that are shown, by their names: found by halving where the names are in the order of their bytes, as those of most
/// views are, and otherwise in a dictionary, which takes much longer to make.
struct SectionsByGroup: Hashable, Sendable {
    /// In the order of the sections.
    private let groups: [String]
    /// Nil where the names ascend.
    private let sections: ExactDictionary<Int>?

    /// O(n).
    /// - Parameter groups: the names, each once.
    init(_ groups: [String]) {
        self.groups = groups
        let isAscending = groups.indices.dropFirst().allSatisfy { groups[$0 - 1].precedes(groups[$0]) }
        sections = isAscending ? nil : ExactDictionary(groups.enumerated().lazy.map { (key: $1, value: $0) })
    }

    /// Nil for a group that is not shown. O(log n).
    subscript(group: String) -> Int? {
        if let sections { return sections[group] }
        let section = groups.indices.partitionPoint { !groups[$0].precedes(group) }
        return section < groups.count && groups[section].hasSameBytes(as: group) ? section : nil
    }
}
