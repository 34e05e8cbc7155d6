import ListChanges

extension Table {
    /// Sets everything that can be seen in motion from where it is on the screen to where the new layout has it.
    ///
    /// - Parameters:
    ///   - before: What was laid out before the change-set, and `leavingBefore`, what was still on its way out.
    mutating func animate(
        from before: [Item], _ leavingBefore: [Item], _ changes: ChangeSet, _ map: PathMap, at time: Double
    ) {
        leaving = []
        guard options.motion != .none else { return }
        var stage = Stage(before, leavingBefore, changes, map, after: items, height: height, time: time)
        stage.reduced = options.motion == .reduced
        items = stage.arriving()
        if !stage.reduced { leaving = stage.departing() }
    }
}
