import ListChanges

extension Table {
    /// Frames a second while something moves.
    static let framesPerSecond = 60.0

    /// When the next frame is worth drawing; nil when nothing moves, until something is changed.
    ///
    /// A decaying tint asks only for the frames in which it is another colour; reduced motion has nothing else.
    public func nextFrame(after time: Double) -> Double? {
        var next: Double?
        for motion in (items + leaving).compactMap(\.motion) where motion.end > time {
            let frame = motion.moveEnd > time ? time + 1 / Self.framesPerSecond : motion.tint?.nextStep(after: time)
            if let frame { next = min(next ?? frame, frame) }
        }
        return next
    }

    /// Whether something is still on its way or decaying.
    public func isAnimating(at time: Double) -> Bool { nextFrame(after: time) != nil }

    /// Puts everything where it will be at once.
    public mutating func finishAnimation() {
        leaving = []
        for index in items.indices { items[index].motion = nil }
    }

    /// What moves at a time, from top to bottom: for a program that shows how the table works.
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
    public var section: Int
    public var fromLine: Int
    /// The line at the time asked for.
    public var line: Int
    public var toLine: Int
    /// How much of the text is to be seen, 0 to 1.
    public var alpha: Double
    /// How strong the background tint is, 0 to 1.
    public var tint: Double
    /// The row is no longer in the list.
    public var isLeaving: Bool
    /// When it is at rest.
    public var end: Double
}
