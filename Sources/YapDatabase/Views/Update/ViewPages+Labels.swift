/// The smallest gap after labels are spread: at least 16 pages fit between any two before labels are spread again.
private let minSpreadGap: Int64 = 1 << 16

extension ViewPages {
    /// Makes room around a page: gives evenly spaced labels to the smallest neighbourhood that has enough space.
    ///
    /// Needed only after pages were split in the same place some thirty times in a row; O(w log p) for w pages.
    func spreadLabels(around label: Int64, inGroup group: String) {
        let pages = state.groups[group]!.pages
        let rank = pages.rank(of: label)
        var width = 16
        while true {
            let low = max(0, rank - width)
            let high = min(pages.count - 1, rank + width)
            let room = Int64(high - low + 2) * pageLabelGap
            let floor = pages.element(atRank: low - 1)?.key ?? pages.first!.key - room
            let ceiling = pages.element(atRank: high + 1)?.key ?? pages.last!.key + room
            let gap = (ceiling - floor) / Int64(high - low + 2)
            if gap >= minSpreadGap {
                let window = (low...high).map { pages.element(atRank: $0)! }
                relabel(window, from: floor, gap: gap, inGroup: group)
                return
            }
            width *= 2
        }
    }

    private func relabel(
        _ window: [SortedTree<Int64, Page>.Element], from floor: Int64, gap: Int64, inGroup group: String
    ) {
        state.groups.update(group) { list in
            for element in window { list.pages.remove(element.key) }
            for (position, element) in window.enumerated() {
                list.pages.insert(element.value, for: floor + Int64(position + 1) * gap)
            }
        }
        for (position, element) in window.enumerated() {
            state.addresses.update(element.value.content.name) { $0.label = floor + Int64(position + 1) * gap }
        }
    }
}
