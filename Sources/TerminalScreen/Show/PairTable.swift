/// The numbers under which ncurses knows pairs of colours. Some terminals have few numbers, and redefining one changes
/// the cells that use it, so only pairs that are not on the screen are released.
struct PairTable {
    /// The most pairs: more than a screen uses in practice, few enough to walk.
    static let limit = 4096

    /// Numbers from 1 to `capacity`; 0 is the terminal's own colours.
    let capacity: Int
    private var numbers: [ColorPair: Int32] = [:]
    private var free: [Int32]

    /// - Parameter colorPairs: as reported by ncurses, pair 0 included.
    init(colorPairs: Int) {
        let capacity = max(0, min(colorPairs - 1, Self.limit))
        self.capacity = capacity
        free = (0..<capacity).map { Int32(capacity - $0) }
    }

    /// Returns the number of a pair, and whether it must be defined in ncurses; nil if all numbers are taken.
    mutating func number(for pair: ColorPair) -> (number: Int32, isNew: Bool)? {
        if pair == .terminal { return (0, false) }
        if let number = numbers[pair] { return (number, false) }
        guard let number = free.popLast() else { return nil }
        numbers[pair] = number
        return (number, true)
    }

    /// Releases all pairs but these. Costs the number of pairs.
    mutating func keepOnly(_ pairs: Set<ColorPair>) {
        for (pair, number) in numbers where !pairs.contains(pair) {
            free.append(number)
        }
        numbers = numbers.filter { pairs.contains($0.key) }
    }
}
