import ListChanges

extension Stage {
    /// Returns the items that leave the screen: deleted ones fade in place, others leave over an edge.
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

    /// Moves items out over an edge, the nearest to it first.
    private func leave(_ items: [Item], over edge: Edge) -> [Item] {
        var line = edge == .start ? min(0, after.first?.y ?? 0) : max(height, after.last?.bottom ?? 0)
        return items.map { item in
            var leaver = item
            let hasMoved = item.place.path.map { map.before($0) == nil } ?? false
            leaver.motion = Motion(
                from: item.position(at: time), slide: schedule.slide, fade: item.motion?.fade, tint: item.motion?.tint,
                layer: hasMoved ? .travelling : .resting)
            if edge == .start { line -= item.height }
            leaver.y = line
            if edge == .end { line += item.height }
            return leaver
        }
    }

}
