extension Table {
    /// The duration of an animated command, in seconds.
    static let scrollDuration = 0.08

    /// Adopts a layout of the same rows scrolled elsewhere. Running animations continue, shifted.
    mutating func rescroll(_ laidOut: [Item], _ layout: Layout, at time: Double, animated: Bool) {
        let old = items
        forgetGone(at: time)
        adopt(laidOut, layout)
        guard let lines = displacement(from: old) else {
            leaving = []
            return
        }
        for index in items.indices {
            let place = items[index].place
            // A row that was leaving and comes back continues from its present line.
            let before = old.item(at: place) ?? leaving.first { $0.place == place && !$0.isGhost }
            items[index].motion = before?.motion?.shifted(by: lines)
        }
        leaving.removeAll { !$0.isGhost && items.index(of: $0.place) != nil }
        for index in leaving.indices {
            leaving[index].y += lines
            leaving[index].motion = leaving[index].motion?.shifted(by: lines)
        }
        if animated, options.motion == .full, lines != 0 { glide(from: old, lines: lines, at: time) }
    }

    /// Drops items that have left the screen.
    mutating func forgetGone(at time: Double) {
        leaving.removeAll { item in
            let y = item.y(at: time)
            return (item.motion?.end ?? 0) <= time || y >= height || y + item.height <= 0
        }
    }

    /// Returns the number of lines by which the list was scrolled; nil if no earlier item is still visible.
    private func displacement(from old: [Item]) -> Int? {
        for item in items {
            if let before = old.item(at: item.place) { return item.y - before.y }
        }
        return nil
    }

    /// Moves everything from its present line on the screen to its new line.
    private mutating func glide(from old: [Item], lines: Int, at time: Double) {
        let span = Span(start: time, duration: Self.scrollDuration, curve: .easeOut)
        for index in items.indices {
            let y = items[index].y(at: time) - lines
            items[index].motion = Motion(
                from: Double(y), slide: span, fade: items[index].motion?.fade, tint: items[index].motion?.tint)
        }
        for index in leaving.indices {
            let y = leaving[index].y(at: time) - lines
            leaving[index].motion?.from = Double(y)
            leaving[index].motion?.slide = span
        }
        for item in old where items.index(of: item.place) == nil {
            var leaver = item
            leaver.y += lines
            leaver.motion = Motion(
                from: Double(item.y(at: time)), slide: span, fade: item.motion?.fade, tint: item.motion?.tint)
            leaving.append(leaver)
        }
    }
}

extension Motion {
    func shifted(by lines: Int) -> Motion {
        var motion = self
        motion.from = from.map { $0 + Double(lines) }
        return motion
    }
}
