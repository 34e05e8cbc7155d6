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

/// The sides of one change-set's animation: what was on the screen and what will be.
private struct Stage {
    let after: [Item]
    let height: Int
    let time: Double
    var reduced = false
    private let map: PathMap
    private let schedule: Schedule
    /// What was on the screen and belongs to the list, with the places it had.
    private var live: [Item]
    private let ghosts: [Item]
    /// Live rows by key and live headers by section afterwards, as indexes in `live`.
    private var rows: [RowKey: Int] = [:]
    private var headers: [Int: Int] = [:]
    private let leavingRows: NamedRows
    private let arrivingRows: NamedRows
    /// The span of places that were laid out.
    private let firstPlace: Place?

    init(
        _ before: [Item], _ leaving: [Item], _ changes: ChangeSet, _ map: PathMap, after: [Item], height: Int,
        time: Double
    ) {
        self.after = after
        self.height = height
        self.time = time
        self.map = map
        live = before + leaving.filter { !$0.isGhost }
        ghosts = leaving.filter { $0.isGhost && $0.alpha(at: time) > 0 }
        leavingRows = NamedRows(changes, leaving: live.compactMap(\.place.path))
        arrivingRows = NamedRows(changes, arriving: after.compactMap(\.place.path))
        firstPlace = before.first?.place
        for (index, item) in live.enumerated() {
            if let key = item.key {
                rows[key] = index
            } else if let section = map.sections.after(item.place.section) {
                headers[section] = index
            }
        }
        schedule = Schedule(
            Self.parts(leavingRows, arrivingRows, map, live: live, after: after), at: time)
    }

    private static func parts(
        _ leaving: NamedRows, _ arriving: NamedRows, _ map: PathMap, live: [Item], after: [Item]
    ) -> Schedule.Parts {
        var parts: Schedule.Parts = []
        for item in live {
            let change = item.place.path.flatMap { leaving.before[$0] }
            if change?.type == .move { parts.insert(.moves) }
            if change?.type == .delete || map.sections.after(item.place.section) == nil { parts.insert(.deletes) }
        }
        for item in after {
            let change = item.place.path.flatMap { arriving.after[$0] }
            if change?.type == .move { parts.insert(.moves) }
            if change?.type == .insert || map.sections.before(item.place.section) == nil { parts.insert(.inserts) }
        }
        return parts
    }

    // MARK: What will be on the screen

    func arriving() -> [Item] {
        var items = after
        for index in items.indices { items[index].motion = motion(of: items[index]) }
        if !reduced { bringIn(&items) }
        return items
    }

    /// The motion of an item that was on the screen or is new; for one that slides in see `bringIn`.
    private func motion(of item: Item) -> Motion? {
        let change = item.place.path.flatMap { arrivingRows.after[$0] }
        var motion = Motion(from: nil, slide: schedule.slide, fade: nil, tint: tint(for: change))
        if let old = old(item) {
            continueMotion(of: old, to: item, change, &motion)
        } else if isNew(item, change) {
            motion.layer = .appearing
            if reduced {
                motion.tint = Motion.Tint(kind: .mark, span: schedule.update)
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
        guard !reduced else { return }
        let y = old.y(at: time)
        if y != item.y {
            motion.from = Double(y)
            if change?.type == .move { motion.layer = .travelling }
        }
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

    /// Lets what was off the screen come in over the edge behind which it was.
    private func bringIn(_ items: inout [Item]) {
        var top = 0
        for index in items.indices.reversed() where cameFrom(items[index]) == .start {
            top -= items[index].height
            slide(&items[index], from: top)
        }
        var bottom = height
        for index in items.indices where cameFrom(items[index]) == .end {
            slide(&items[index], from: bottom)
            bottom += items[index].height
        }
    }

    private func slide(_ item: inout Item, from line: Int) {
        let change = item.place.path.flatMap { arrivingRows.after[$0] }
        var motion = item.motion ?? Motion(from: nil, slide: schedule.slide)
        motion.from = Double(line)
        if change?.type == .move { motion.layer = .travelling }
        item.motion = motion
    }

    /// The edge behind which an item was; nil for one that was on the screen or in no place.
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

    // MARK: What will be no more

    func departing() -> [Item] {
        var above: [Item] = []
        var below: [Item] = []
        var fading = ghosts
        let staying = Set(after.compactMap(\.key))
        let stayingHeaders = Set(after.filter { $0.key == nil }.map(\.place.section))
        for item in live where isVisible(item) {
            if item.key.map(staying.contains) ?? false { continue }
            if item.key == nil, let section = map.sections.after(item.place.section), stayingHeaders.contains(section) {
                continue
            }
            if let place = placeAfter(item) {
                var leaver = item
                leaver.place = place
                if let first = after.first, place < first.place { above.append(leaver) } else { below.append(leaver) }
            } else {
                fading.append(ghost(item))
            }
        }
        return fading + leave(above.sorted { $0.place > $1.place }, over: .start)
            + leave(below.sorted { $0.place < $1.place }, over: .end)
    }

    private func isVisible(_ item: Item) -> Bool {
        let y = item.y(at: time)
        return y < height && y + item.height > 0
    }

    private func placeAfter(_ item: Item) -> Place? {
        guard let path = item.place.path else {
            return map.sections.after(item.place.section).map { .header(section: $0) }
        }
        if let change = leavingRows.before[path], change.type == .move { return change.after.map { .row($0) } }
        return map.after(path).map { .row($0) }
    }

    private func ghost(_ item: Item) -> Item {
        var ghost = item
        ghost.y = item.y(at: time)
        ghost.isGhost = true
        let fade = Motion.Fade(from: item.alpha(at: time), to: 0, span: schedule.fadeOut)
        ghost.motion = Motion(from: nil, slide: schedule.slide, fade: fade, tint: item.motion?.tint, layer: .ghost)
        return ghost
    }

    /// Sends items away over an edge; the nearest to it comes first.
    private func leave(_ items: [Item], over edge: Edge) -> [Item] {
        var line = edge == .start ? min(0, after.first?.y ?? 0) : max(height, after.last?.bottom ?? 0)
        return items.map { item in
            var leaver = item
            let y = item.y(at: time)
            let hasMoved = item.place.path.map { arrivingOrMoved($0) } ?? false
            leaver.motion = Motion(
                from: Double(y), slide: schedule.slide, fade: item.motion?.fade, tint: item.motion?.tint,
                layer: hasMoved ? .travelling : .resting)
            if edge == .start { line -= item.height }
            leaver.y = line
            if edge == .end { line += item.height }
            return leaver
        }
    }

    private func arrivingOrMoved(_ after: RowPath) -> Bool { map.before(after) == nil }
}
