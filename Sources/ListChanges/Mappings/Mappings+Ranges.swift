extension Mappings {
    /// Restricts the list to a part of the group; nil shows the whole group again. For a reversed group the options are
    /// in screen order: its beginning is the first row shown.
    ///
    /// ```swift
    /// mappings.setRangeOptions(.flexible(length: 50, offset: 0, from: .end), forGroup: "messages")
    /// print(mappings.rangeOptions(forGroup: "messages")?.length ?? 0, mappings.rangePosition(forGroup: "messages"))
    /// mappings.removeRangeOptions(forGroup: "messages")   // all rows again
    /// ```
    ///
    /// - Parameters:
    ///   - options: the part to show, in screen order; nil for all.
    ///   - group: the name of the group.
    public mutating func setRangeOptions(_ options: RangeOptions?, forGroup group: String) {
        guard let options else { return removeRangeOptions(forGroup: group) }
        let range = (isReversed(forGroup: group) ? options.reversed : options).withinLimits
        setups[group, default: unset].requestedRange = range
        setups[group]?.range = range
        guard isUpdated else { return }
        openWindow(ofGroup: group)
        refreshVisibility()
    }

    /// Returns the group's present range, in screen order; nil if the whole group is shown. Its length is the number of
    /// rows shown, which may be less than requested; a flexible range's offset moves along with its rows.
    ///
    /// Example: ``setRangeOptions(_:forGroup:)``.
    public func rangeOptions(forGroup group: String) -> RangeOptions? {
        guard let setup = setups[group] else { return nil }
        return setup.isReversed ? setup.range?.reversed : setup.range
    }

    /// Shows the whole group again. A group without a range stays as it is.
    ///
    /// Example: ``setRangeOptions(_:forGroup:)``.
    public mutating func removeRangeOptions(forGroup group: String) {
        guard setups[group]?.range != nil else { return }
        setups[group]?.requestedRange = nil
        setups[group]?.range = nil
        isSettled = false
    }

    /// Returns the position of the group's window in the whole group, in screen order. All 0 for a group that the
    /// mappings do not hold, and for the consolidated group.
    ///
    /// Example: ``setRangeOptions(_:forGroup:)``.
    public func rangePosition(forGroup group: String) -> RangePosition {
        guard let count = counts[group] else {
            return RangePosition(offsetFromBeginning: 0, offsetFromEnd: 0, length: 0)
        }
        let window = window(ofGroup: group)
        let before = min(window.lower, count)
        let after = count - min(window.upper, count)
        return isReversed(forGroup: group)
            ? RangePosition(offsetFromBeginning: after, offsetFromEnd: before, length: window.length)
            : RangePosition(offsetFromBeginning: before, offsetFromEnd: after, length: window.length)
    }

    /// Returns the indexes of the group that are shown; empty if the mappings do not hold it.
    func window(ofGroup group: String) -> RowWindow {
        guard let count = counts[group] else { return .nothing }
        guard let range = setups[group]?.range else { return RowWindow(all: count) }
        return RowWindow(range, count: count)
    }

    /// Cuts a newly set range to the existing rows.
    mutating func openWindow(ofGroup group: String) {
        guard let range = setups[group]?.range else { return }
        setups[group]?.range = range.with(length: range.length(wanting: range.length, count: counts[group] ?? 0))
    }
}
