import ListChanges

extension Stage {
    /// Returns the items that will be on the screen, with their motion.
    func arriving() -> [Item] {
        var items = after
        for index in items.indices { items[index].motion = motion(of: items[index]) }
        if !reduced { bringIn(&items) }
        return items
    }

    /// Returns the motion of an item that was on the screen or is new. `bringIn` handles those that slide in.
    private func motion(of item: Item) -> Motion? {
        let change = item.place.path.flatMap { arrivingRows.after[$0] }
        var motion = Motion(from: nil, slide: schedule.slide, fade: nil, tint: tint(for: change))
        if let old = old(item) {
            continueMotion(of: old, to: item, change, &motion)
        } else if isNew(item, change) {
            motion.layer = .appearing
            if reduced {
                motion.tint = Motion.Tint(kind: .mark, span: schedule.update)
            } else if newAtOnce {
                // Above those that still move out of its place.
                motion.from = Double(item.y)
                motion.layer = .travelling
                motion.tint = Motion.Tint(kind: .background, span: schedule.update)
            } else {
                motion.fade = Motion.Fade(from: 0, to: 1, span: schedule.fadeIn)
            }
        }
        return motion.end > time ? motion : nil
    }

    private func continueMotion(of old: Item, to item: Item, _ change: RowChange?, _ motion: inout Motion) {
        if let fade = old.motion?.fade, fade.span.end > time {
            motion.fade = fade
            motion.layer = .appearing
        }
        if motion.tint == nil { motion.tint = old.motion?.tint }
        if !reduced { slide(from: old, to: item, change, &motion) }
    }

    /// Adds the slide to an item's new line. Rows that already move to their target keep their animation; otherwise
    /// repeated changes would hold them at its start. Rows that change their direction start at full speed.
    private func slide(from old: Item, to item: Item, _ change: RowChange?, _ motion: inout Motion) {
        let position = old.position(at: time)
        guard position != Double(item.y) else { return }
        motion.from = position
        if let before = old.motion, before.from != nil, before.slide.end > time {
            motion.layer = max(motion.layer, before.layer)
            motion.slide.curve = .easeOut
            if old.y == item.y, change?.type != .move {
                motion.from = before.from
                motion.slide = before.slide
            }
        }
        if change?.type == .move { motion.layer = .travelling }
    }

    private func tint(for change: RowChange?) -> Motion.Tint? {
        switch change?.type {
        case .update:
            return .updated(schedule, reduced ? .reduced : .full)
        case .move:
            return Motion.Tint(kind: reduced ? .mark : .background, span: reduced ? schedule.update : schedule.landed)
        case .insert, .delete, nil: return nil
        }
    }

    private func old(_ item: Item) -> Item? {
        let index = item.key.map { rows[$0] } ?? headers[item.place.section]
        return index.map { live[$0] }
    }

    private func isNew(_ item: Item, _ change: RowChange?) -> Bool {
        if let change { return change.type == .insert }
        guard let path = item.place.path else { return map.sections.before(item.place.section) == nil }
        return map.before(path) == nil
    }

    /// Lets items that were off the screen enter over the edge behind which they were.
    private func bringIn(_ items: inout [Item]) {
        var top = 0
        for index in items.indices.reversed() where cameFrom(items[index]) == .start {
            top -= items[index].height
            bringIn(&items[index], from: top)
        }
        var bottom = height
        for index in items.indices where cameFrom(items[index]) == .end {
            bringIn(&items[index], from: bottom)
            bottom += items[index].height
        }
    }

    private func bringIn(_ item: inout Item, from line: Int) {
        let change = item.place.path.flatMap { arrivingRows.after[$0] }
        var motion = item.motion ?? Motion(from: nil, slide: schedule.slide)
        motion.from = Double(line)
        if change?.type == .move { motion.layer = .travelling }
        item.motion = motion
    }

    /// Returns the edge behind which an item was; nil if it was on the screen or is new.
    private func cameFrom(_ item: Item) -> Edge? {
        guard let firstPlace, old(item) == nil else { return nil }
        let change = item.place.path.flatMap { arrivingRows.after[$0] }
        guard !isNew(item, change) else { return nil }
        let place: Place?
        if let path = item.place.path {
            place = (change?.type == .move ? change?.before : map.before(path)).map { .row($0) }
        } else {
            place = map.sections.before(item.place.section).map { .header(section: $0) }
        }
        return place.map { $0 < firstPlace ? .start : .end }
    }
}

extension Motion.Tint {
    static func updated(_ schedule: Schedule, _ level: MotionLevel) -> Motion.Tint {
        Motion.Tint(kind: level == .reduced ? .underline : .background, span: schedule.update)
    }
}
