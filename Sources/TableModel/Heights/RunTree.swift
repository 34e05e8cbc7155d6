/// Runs of rows in the order of the list, in a treap: a search tree balanced by random priorities.
///
/// Each node has the sum of its subtree, and a run's position is the sum of what is before it. So inserted or removed
/// rows shift all that follow without touching them.
struct RunTree: Hashable, Sendable {
    typealias Link = Int

    struct Node: Hashable, Sendable {
        var run: HeightRun
        var priority: UInt32
        var left = RunTree.none
        var right = RunTree.none
        var sum: HeightSum
    }

    static let none = -1

    var nodes: [Node] = []
    private var root = Self.none
    private var unused: [Link] = []
    /// The state of the generator of priorities. They need not be unpredictable, only different.
    private var seed: UInt32 = 0x9e37_79b9

    /// The number of runs.
    var count: Int { nodes.count - unused.count }

    var sum: HeightSum { sum(of: root) }

    mutating func append(_ run: HeightRun) { root = joined(root, node(run)) }

    /// Replaces `count` rows from a rank on by a run or by nothing.
    mutating func replace(_ rank: Int, _ count: Int, with run: HeightRun?) {
        precondition(rank >= 0 && count >= 0 && rank + count <= sum.rows, "There are no such rows.")
        let (front, rest) = split(root, at: rank)
        let (gone, back) = split(rest, at: count)
        free(gone)
        root = joined(joined(front, run.map { node($0) } ?? Self.none), back)
    }

    func sum(of link: Link) -> HeightSum { link == Self.none ? HeightSum() : nodes[link].sum }

    // MARK: Nodes

    mutating func node(_ run: HeightRun) -> Link {
        guard run.rows > 0 else { return Self.none }
        seed ^= seed << 13
        seed ^= seed >> 17
        seed ^= seed << 5
        let node = Node(run: run, priority: seed, sum: run.sum)
        guard let link = unused.popLast() else {
            nodes.append(node)
            return nodes.count - 1
        }
        nodes[link] = node
        return link
    }

    mutating func free(_ link: Link) {
        guard link != Self.none else { return }
        free(nodes[link].left)
        free(nodes[link].right)
        unused.append(link)
    }

    mutating func update(_ link: Link) {
        nodes[link].sum = sum(of: nodes[link].left) + nodes[link].run.sum + sum(of: nodes[link].right)
    }
}

extension RunTree {
    /// Returns the measured height of a row; nil if it was not measured.
    func height(of rank: Int) -> Int? {
        var link = root
        var rest = rank
        while link != Self.none {
            let before = sum(of: nodes[link].left).rows
            if rest < before {
                link = nodes[link].left
            } else if rest < before + nodes[link].run.rows {
                return nodes[link].run.height
            } else {
                rest -= before + nodes[link].run.rows
                link = nodes[link].right
            }
        }
        preconditionFailure("There is no row \(rank).")
    }

    /// Returns the sums of the rows before a row.
    func sum(before rank: Int) -> HeightSum {
        var link = root
        var rest = rank
        var sum = HeightSum()
        while link != Self.none {
            let left = self.sum(of: nodes[link].left)
            if rest < left.rows {
                link = nodes[link].left
                continue
            }
            sum = sum + left
            rest -= left.rows
            var run = nodes[link].run
            run.rows = min(rest, run.rows)
            sum = sum + run.sum
            rest -= run.rows
            link = rest > 0 ? nodes[link].right : Self.none
        }
        return sum
    }

    /// Returns the row at a line, and the part of it above the line; `average` is the height of unmeasured rows.
    func row(atLine line: Double, _ average: Double) -> (rank: Int, part: Double) {
        var link = root
        var rank = 0
        // Sums of averages are not exact; a row must begin at the line reported for it.
        var rest = min(max(0, line), sum.lines(average)) + 1e-6
        while true {
            let left = sum(of: nodes[link].left)
            let above = left.lines(average)
            if rest < above {
                link = nodes[link].left
                continue
            }
            let run = nodes[link].run
            let height = run.height.map(Double.init) ?? average
            rank += left.rows
            rest -= above
            if rest < height * Double(run.rows) || nodes[link].right == Self.none {
                let row = min(Int(rest / height), run.rows - 1)
                return (rank + row, min(1, rest / height - Double(row)))
            }
            rank += run.rows
            rest -= height * Double(run.rows)
            link = nodes[link].right
        }
    }
}
