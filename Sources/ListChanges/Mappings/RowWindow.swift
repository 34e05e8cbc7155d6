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

extension RowWindow {
    /// Returns the window cut to a group of `count` rows and to the limits of a flexible `range`. What is too long is
    /// cut on the side away from the pin; what is too short takes rows from the pin side, then from the other. An empty
    /// window that may stay empty keeps its place, even beyond the group's end.
    func fitted(to range: RangeOptions, count: Int) -> RowWindow {
        guard length > 0 || (range.minLength > 0 && count > 0) else { return self }
        var window = clamped(to: count)
        let excess = window.length - range.maxLength
        if excess > 0 {
            switch range.pin {
            case .beginning: window.upper -= excess
            case .end: window.lower += excess
            }
        }
        let missing = max(range.minLength - window.length, 0)
        switch range.pin {
        case .beginning:
            let below = min(missing, window.lower)
            window.lower -= below
            window.upper += min(missing - below, count - window.upper)
        case .end:
            let above = min(missing, count - window.upper)
            window.upper += above
            window.lower -= min(missing - above, window.lower)
        }
        return window
    }

    private func clamped(to count: Int) -> RowWindow {
        let lower = min(max(lower, 0), count)
        return RowWindow(lower: lower, upper: min(max(upper, lower), count))
    }
}
