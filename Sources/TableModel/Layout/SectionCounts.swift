import ListChanges

/// The number of rows of each section. Converts between a row's path and its rank in the whole list in O(log sections).
///
/// A Fenwick tree: `tree[i]` is the sum of the counts of the sections below `i` that its lowest set bit spans.
struct SectionCounts: Hashable, Sendable {
    private(set) var counts: [Int]
    private(set) var total: Int
    private var tree: [Int]

    init(_ counts: [Int]) {
        self.counts = counts
        total = counts.reduce(0, +)
        tree = [0] + counts
        for index in 1..<tree.count {
            let parent = index + (index & -index)
            if parent < tree.count { tree[parent] += tree[index] }
        }
    }

    init(of source: any TableSource) {
        self.init((0..<source.numberOfSections).map(source.numberOfRows(in:)))
    }

    var sections: Int { counts.count }

    /// The number of rows in a section; 0 if it does not exist.
    subscript(section: Int) -> Int { counts.indices.contains(section) ? counts[section] : 0 }

    func contains(_ path: RowPath) -> Bool { path.row >= 0 && path.row < self[path.section] }

    mutating func set(_ count: Int, in section: Int) {
        let difference = count - counts[section]
        guard difference != 0 else { return }
        counts[section] = count
        total += difference
        var index = section + 1
        while index < tree.count {
            tree[index] += difference
            index += index & -index
        }
    }

    /// Returns the number of rows before a row.
    func rank(of path: RowPath) -> Int {
        var sum = path.row
        var index = min(path.section, counts.count)
        while index > 0 {
            sum += tree[index]
            index -= index & -index
        }
        return sum
    }

    /// Returns the row with a rank; nil if there are fewer rows.
    func path(ofRank rank: Int) -> RowPath? {
        guard rank >= 0, rank < total else { return nil }
        var section = 0
        var rest = rank
        var step = 1
        while step * 2 < tree.count { step *= 2 }
        while step > 0 {
            if section + step < tree.count, tree[section + step] <= rest {
                section += step
                rest -= tree[section]
            }
            step /= 2
        }
        return RowPath(section: section, row: rest)
    }

    /// Returns the row nearest to a path: in the same section, at most its last row; else the last row of the closest
    /// earlier section; else the first of the closest later one. Nil without any row.
    func nearest(to path: RowPath) -> RowPath? {
        let section = min(path.section, sections)
        if self[section] > 0 { return RowPath(section: section, row: min(max(0, path.row), self[section] - 1)) }
        return nearest(toGap: section)
    }

    /// Returns the last row before a section, else the first row from there on.
    func nearest(toGap section: Int) -> RowPath? {
        let rank = rank(of: RowPath(section: min(section, sections), row: 0))
        return path(ofRank: rank - 1) ?? path(ofRank: rank)
    }
}
