/// A span of time with the progress through it.
struct Span: Hashable, Sendable {
    enum Curve: Hashable, Sendable {
        case linear
        case easeOut
        case easeInOut
    }

    var start: Double
    var duration: Double
    var curve: Curve

    var end: Double { start + duration }

    /// Returns the progress at a time: 0 before the span, 1 after it.
    func progress(at time: Double) -> Double {
        if time >= end { return 1 }
        if time <= start { return 0 }
        let part = (time - start) / duration
        switch curve {
        case .linear: return part
        case .easeOut: return 1 - (1 - part) * (1 - part) * (1 - part)
        case .easeInOut: return part < 0.5 ? 4 * part * part * part : 1 - 4 * (1 - part) * (1 - part) * (1 - part)
        }
    }
}

/// How an item on the screen changes its position and appearance over time.
struct Motion: Hashable, Sendable {
    /// Which of two overlapping items is drawn on top.
    enum Layer: Int, Hashable, Comparable, Sendable {
        case ghost
        case appearing
        case resting
        case travelling

        static func < (a: Layer, b: Layer) -> Bool { a.rawValue < b.rawValue }
    }

    struct Fade: Hashable, Sendable {
        var from: Double
        var to: Double
        var span: Span

        func alpha(at time: Double) -> Double { from + (to - from) * span.progress(at: time) }
    }

    struct Tint: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// A background that fades out.
            case background
            /// A background that is switched on and off.
            case mark
            case underline
        }

        var kind: Kind
        var span: Span

        /// The steps in which a background fades out. 256 colours cannot show more.
        static let steps = 8

        func level(at time: Double) -> Double {
            if time >= span.end { return 0 }
            guard kind == .background else { return 1 }
            return Double(Self.steps - step(at: time)) / Double(Self.steps)
        }
    }

    /// The line at which the movement began; nil if the item does not move.
    var from: Double?
    var slide: Span
    var fade: Fade?
    var tint: Tint?
    var layer: Layer = .resting

    func y(to target: Int, at time: Double) -> Double {
        guard let from else { return Double(target) }
        return from + (Double(target) - from) * slide.progress(at: time)
    }

    func alpha(at time: Double) -> Double { fade?.alpha(at: time) ?? 1 }

    /// The time at which the item is at rest.
    var end: Double { max(moveEnd, tint?.span.end ?? 0) }

    /// The time at which the item has arrived and is fully visible; a tint may still be fading.
    var moveEnd: Double { max(from == nil ? 0 : slide.end, fade?.span.end ?? 0) }
}

extension Motion.Tint {
    /// The number of steps that the background has decayed.
    func step(at time: Double) -> Int { (span.progress(at: time) * Double(Self.steps)).floorInt }

    /// When the level changes next.
    func nextStep(after time: Double) -> Double? {
        guard time < span.end else { return nil }
        if kind != .background { return span.end }
        func start(of step: Int) -> Double { span.start + Double(step) * span.duration / Double(Self.steps) }
        let next = start(of: step(at: time) + 1)
        // Rounding may put a step's start into the step before it; the clock must go on all the same.
        return next > time ? next : start(of: step(at: time) + 2)
    }
}
