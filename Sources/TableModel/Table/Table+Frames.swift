import ListChanges

extension Table {
    /// Frames a second during an animation.
    static let framesPerSecond = 60.0

    /// Returns the time at which the table should be drawn next; nil if it is at rest until its next change.
    ///
    /// While only a tint fades, frames are drawn only when its colour changes. With reduced motion, fading tints are the only animation.
    ///
    /// O(visible rows).
    ///
    /// ```swift
    /// if let next = table.nextFrame(after: now) { print("draw again at \(next)") }
    /// if table.isAnimating(at: now) { table.finishAnimation() }
    /// print(table.transitions(at: now).isEmpty)   // true
    /// ```
    public func nextFrame(after time: Double) -> Double? {
        var next: Double?
        for items in [items, leaving] {
            for index in items.indices {
                guard let motion = items[index].motion, motion.end > time else { continue }
                let frame = motion.moveEnd > time ? time + 1 / Self.framesPerSecond : motion.tint?.nextStep(after: time)
                if let frame { next = min(next ?? frame, frame) }
            }
        }
        return next
    }

    /// Whether anything still moves or fades.
    ///
    /// Example: ``nextFrame(after:)``.
    public func isAnimating(at time: Double) -> Bool { nextFrame(after: time) != nil }

    /// Ends all animations at once.
    ///
    /// Example: ``nextFrame(after:)``.
    public mutating func finishAnimation() {
        leaving = []
        for index in items.indices { items[index].motion = nil }
    }

    /// Returns the running transitions at a time, from top to bottom, for a program that shows how the table works.
    ///
    /// Example: ``nextFrame(after:)``.
    public func transitions(at time: Double) -> [Transition] {
        (leaving + items).compactMap { item in
            guard let motion = item.motion, motion.end > time else { return nil }
            return Transition(
                key: item.key, section: item.place.section, fromLine: (motion.from ?? Double(item.y)).nearestInt,
                line: item.y(at: time), toLine: item.y, alpha: motion.alpha(at: time),
                tint: motion.tint?.level(at: time) ?? 0, isLeaving: item.isGhost, end: motion.end)
        }
    }
}

/// One running part of an animation.
public struct Transition: Hashable, Sendable {
    /// The row; nil for a section header.
    public var key: RowKey?
    /// The section that the row or header belongs to.
    public var section: Int
    /// The line at which the motion began.
    public var fromLine: Int
    /// The line at the given time.
    public var line: Int
    /// The line at which the motion ends.
    public var toLine: Int
    /// The visibility of the text, 0 to 1.
    public var alpha: Double
    /// The strength of the background tint, 0 to 1.
    public var tint: Double
    /// Whether the row has left the list.
    public var isLeaving: Bool
    /// The time at which it is at rest.
    public var end: Double
}
