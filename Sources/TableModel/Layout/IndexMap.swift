/// Where the positions of one list went when some were removed and others added; those that stay keep their order.
///
/// Both directions in O(log k).
struct IndexMap: Hashable, Sendable {
    /// Positions before, ascending.
    private(set) var removed: [Int]
    /// Positions after, ascending.
    private(set) var added: [Int]

    init(removed: [Int] = [], added: [Int] = []) {
        self.removed = removed.sorted()
        self.added = added.sorted()
    }

    /// Where a position is afterwards; nil when it was removed.
    func after(_ before: Int) -> Int? { Self.map(before, from: removed, to: added) }

    /// Where a position was; nil when it was added.
    func before(_ after: Int) -> Int? { Self.map(after, from: added, to: removed) }

    /// Where the first survivor from a position on is afterwards: the gap that a removed one leaves.
    func gap(_ before: Int) -> Int {
        let rank = before - Self.lowerBound(of: removed) { $0 >= before }
        return Self.place(ofRank: rank, among: added)
    }

    var isIdentity: Bool { removed.isEmpty && added.isEmpty }

    var hasRepetition: Bool {
        zip(removed, removed.dropFirst()).contains { $0 == $1 } || zip(added, added.dropFirst()).contains { $0 == $1 }
    }

    private static func map(_ index: Int, from gone: [Int], to come: [Int]) -> Int? {
        let below = lowerBound(of: gone) { $0 >= index }
        if below < gone.count, gone[below] == index { return nil }
        return place(ofRank: index - below, among: come)
    }

    /// Where the survivor with a rank is: those added in front of it are the ones with `added[i] - i <= rank`.
    private static func place(ofRank rank: Int, among added: [Int]) -> Int {
        rank + lowerBound(of: added.indices) { added[$0] - $0 > rank }
    }

    /// The number of elements in front of the first for which the condition holds; it holds for all after that one.
    private static func lowerBound<C: RandomAccessCollection>(
        of elements: C, where holds: (C.Element) -> Bool
    ) -> Int where C.Index == Int {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if holds(elements[elements.startIndex + middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
