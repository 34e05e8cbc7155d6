/// The rows of a group that are shown: the indexes from `lower` up to, but not including, `upper`.
struct RowWindow: Hashable, Sendable {
    var lower: Int
    var upper: Int

    static let nothing = RowWindow(lower: 0, upper: 0)

    var length: Int { upper - lower }

    @inline(__always)
    func contains(_ index: Int) -> Bool { index >= lower && index < upper }
}

extension RowWindow {
    /// Creates the window of a whole group.
    init(all count: Int) {
        self.init(lower: 0, upper: count)
    }

    /// Creates the window that `range` opens in a group of `count` rows.
    init(_ range: RangeOptions, count: Int) {
        switch range.pin {
        case .beginning:
            self.init(lower: range.offset, upper: range.offset + range.length)
        case .end where range.offset < count:
            self.init(lower: count - range.offset - range.length, upper: count - range.offset)
        case .end:
            self = .nothing
        }
    }
}

extension RangeOptions {
    /// Returns how many of `wanted` rows the group has.
    func length(wanting wanted: Int, count: Int) -> Int {
        min(wanted, max(count - offset, 0))
    }

    /// Returns the range that opens `window` in a group of `count` rows.
    func opening(_ window: RowWindow, count: Int) -> RangeOptions {
        with(length: window.length, offset: pin == .beginning ? window.lower : count - window.upper)
    }
}
