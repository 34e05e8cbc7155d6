import ListChanges

extension Table {
    /// Applies a change-set that leaves every row in place: only updates, and no visible row changes its height.
    ///
    /// - Returns: false, with nothing done, for any other change-set.
    mutating func redraw(_ changes: ChangeSet, _ after: any TableSource, at time: Double) -> Bool {
        forgetGone(at: time)
        guard changes.sectionChanges.isEmpty, changes.rowChanges.allSatisfy({ $0.type == .update }),
            !leaving.contains(where: { !$0.isGhost })
        else { return false }
        guard items.allSatisfy({ !$0.isHeader || after.header(of: $0.place.section) != nil }) else { return false }
        let layout = layout(after)
        var redrawn: [(index: Int, picture: Picture)] = []
        for change in changes.rowChanges {
            guard let path = change.before, let index = items.index(of: .row(path)) else { continue }
            let picture = layout.item(at: .row(path), y: 0).picture
            guard picture.lines.count == items[index].height else { return false }
            redrawn.append((index, picture))
        }
        for (index, picture) in redrawn {
            items[index].picture = picture
            items[index].mark(Schedule([], at: time), options.motion)
        }
        forgetHeights(ofUpdated: changes)
        redrawHeaders(layout)
        range = after.rangePosition
        return true
    }

    /// Redraws headers, which may depend on the rows below them.
    private mutating func redrawHeaders(_ layout: Layout) {
        for index in items.indices where items[index].isHeader {
            items[index].picture = layout.item(at: items[index].place, y: 0).picture
        }
        if let place = sticky?.place { sticky = layout.item(at: place, y: 0) }
    }
}

extension Item {
    /// Marks changed content. The item's movement continues.
    fileprivate mutating func mark(_ schedule: Schedule, _ level: MotionLevel) {
        guard level != .none else { return }
        var motion = self.motion ?? Motion(from: nil, slide: schedule.slide)
        motion.tint = .updated(schedule, level)
        self.motion = motion
    }
}
