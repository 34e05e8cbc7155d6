import ListChanges

extension Table {
    /// Animates all visible items from their present lines on the screen to those of the new layout.
    ///
    /// - Parameters:
    ///   - before: The items laid out before the change-set; `leavingBefore` are those that were still leaving.
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
