/// A flexible window that follows the operations of a log.
struct WindowReplay {
    private(set) var window: RowWindow
    private let growsAtLower: Bool
    private let growsAtUpper: Bool
    /// Whether the window has ever been empty. From then on it grows on both sides.
    private var wasEmpty: Bool

    init(_ window: RowWindow, range: RangeOptions) {
        let (pinSide, otherSide) = (range.growOptions.contains(.pinSide), range.growOptions.contains(.nonPinSide))
        self.window = window
        self.growsAtLower = range.pin == .beginning ? pinSide : otherSide
        self.growsAtUpper = range.pin == .beginning ? otherSide : pinSide
        self.wasEmpty = window.length == 0
    }

    mutating func insert(at index: Int) {
        let (atLower, atUpper) = (growsAtLower || wasEmpty, growsAtUpper || wasEmpty)
        if index < window.lower || (index == window.lower && !atLower) { window.lower += 1 }
        if index < window.upper || (index == window.upper && atUpper) { window.upper += 1 }
        wasEmpty = wasEmpty || window.length == 0
    }

    mutating func delete(at index: Int) {
        if index < window.lower { window.lower -= 1 }
        if index < window.upper { window.upper -= 1 }
        wasEmpty = wasEmpty || window.length == 0
    }

    /// Applies the deletion of all `count` rows, from the last to the first.
    mutating func deleteAll(_ count: Int) {
        window.lower = max(window.lower - count, 0)
        window.upper = max(window.upper - count, 0)
        wasEmpty = wasEmpty || window.length == 0
    }
}
