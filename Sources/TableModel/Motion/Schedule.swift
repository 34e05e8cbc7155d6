/// When the parts of one change-set's animation happen; times are in seconds.
struct Schedule: Hashable, Sendable {
    /// What of a change-set can be seen.
    struct Parts: OptionSet {
        let rawValue: Int

        static let inserts = Parts(rawValue: 1 << 0)
        static let deletes = Parts(rawValue: 1 << 1)
        static let moves = Parts(rawValue: 1 << 2)
    }

    /// Rows slide to where they will be; a moved row travels in the same time.
    var slide: Span
    var fadeIn: Span
    var fadeOut: Span
    /// The background of an updated row.
    var update: Span
    /// The background of a moved row: it stays until the row has landed.
    var landed: Span

    /// Everything begins together; the gap of a deleted row waits until the text in it is gone, a new text until half
    /// of its space is open.
    ///
    /// - Parameter inPassing: Something is still moving: then nothing waits, so that in a stream of changes the newest
    ///   rows are seen and not only the room for them.
    init(_ parts: Parts, at time: Double, inPassing: Bool = false) {
        let lead = inPassing || !parts.contains(.deletes) ? 0 : parts.contains(.moves) ? 0.06 : 0.1
        let duration = parts.contains(.moves) ? 0.24 : parts.contains(.inserts) ? 0.16 : 0.14
        let curve: Span.Curve = parts.contains(.moves) ? .easeInOut : .easeOut
        slide = Span(start: time + lead, duration: duration, curve: curve)
        fadeIn = Span(start: slide.start + (inPassing ? 0 : 0.08), duration: 0.12, curve: .linear)
        fadeOut = Span(start: time, duration: 0.1, curve: .linear)
        update = Span(start: time, duration: 0.5, curve: .linear)
        landed = Span(start: slide.end, duration: 0.5, curve: .linear)
    }
}
