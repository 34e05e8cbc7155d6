/// Maps the positions of a list before some were removed and others added to those after. The others keep their order.
///
/// O(log k) in both directions.
struct IndexMap: Hashable, Sendable {
    /// Positions before, ascending.
    private(set) var removed: [Int]
    /// Positions after, ascending.
    private(set) var added: [Int]

    init(removed: [Int] = [], added: [Int] = []) {
        self.removed = removed.sorted()
        self.added = added.sorted()
    }

    /// Returns a position afterwards; nil if it was removed.
    func after(_ before: Int) -> Int? { Self.map(before, from: removed, to: added) }

    /// Returns a position before; nil if it was added.
    func before(_ after: Int) -> Int? { Self.map(after, from: added, to: removed) }

    /// Returns the position afterwards of the first remaining element from a position on: the gap that a removed one
    /// leaves.
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

    /// Returns the position of the remaining element with a rank. The elements added before it are those with `added[i]
    /// - i <= rank`.
    private static func place(ofRank rank: Int, among added: [Int]) -> Int {
        rank + lowerBound(of: added.indices) { added[$0] - $0 > rank }
    }

    /// Returns the number of elements before the first for which the condition holds. It must hold for all after that
    /// one.
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
