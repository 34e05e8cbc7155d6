import ListChanges

extension Table {
    /// The short way for a change-set after which everything stands where it stood: only updates, and no row on the
    /// screen became taller or shorter.
    ///
    /// - Returns: false, with nothing done, when that is not so.
    mutating func redraw(_ changes: ChangeSet, _ after: any TableSource, at time: Double) -> Bool {
        forgetGone(at: time)
        guard changes.sectionChanges.isEmpty, changes.rowChanges.allSatisfy({ $0.type == .update }),
            !leaving.contains(where: { !$0.isGhost })
        else { return false }
        guard items.allSatisfy({ $0.key != nil || after.header(of: $0.place.section) != nil }) else { return false }
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

    /// A header may say something about the rows below it.
    private mutating func redrawHeaders(_ layout: Layout) {
        for index in items.indices where items[index].key == nil {
            items[index].picture = layout.item(at: items[index].place, y: 0).picture
        }
        if let place = sticky?.place { sticky = layout.item(at: place, y: 0) }
    }
}

extension Item {
    /// Shows that the content changed; where it is going it goes on going.
    fileprivate mutating func mark(_ schedule: Schedule, _ level: MotionLevel) {
        guard level != .none else { return }
        var motion = self.motion ?? Motion(from: nil, slide: schedule.slide)
        motion.tint = .updated(schedule, level)
        self.motion = motion
    }
}
