/// Which number ncurses knows a pair of colours by. There are few numbers on some terminals, and to give one a second
/// meaning changes the cells that already use it: so only pairs that are nowhere on the screen are given up.
struct PairTable {
    /// More pairs than a screen has cells in practice, few enough to walk.
    static let limit = 4096

    /// Numbers from 1 to `capacity`; 0 is the terminal's own colours.
    let capacity: Int
    private var numbers: [ColorPair: Int32] = [:]
    private var free: [Int32]

    /// `colorPairs` is what ncurses reports, pair 0 included.
    init(colorPairs: Int) {
        let capacity = max(0, min(colorPairs - 1, Self.limit))
        self.capacity = capacity
        free = (0..<capacity).map { Int32(capacity - $0) }
    }

    /// The number of a pair, and whether ncurses has to be told about it; nil if all numbers are taken.
    mutating func number(for pair: ColorPair) -> (number: Int32, isNew: Bool)? {
        if pair == .terminal { return (0, false) }
        if let number = numbers[pair] { return (number, false) }
        guard let number = free.popLast() else { return nil }
        numbers[pair] = number
        return (number, true)
    }

    /// Gives up all pairs but these. Costs the number of pairs.
    mutating func keepOnly(_ pairs: Set<ColorPair>) {
        for (pair, number) in numbers where !pairs.contains(pair) {
            free.append(number)
        }
        numbers = numbers.filter { pairs.contains($0.key) }
    }
}
