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
