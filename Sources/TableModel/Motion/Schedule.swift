/// The times of the parts of one change-set's animation, in seconds.
struct Schedule: Hashable, Sendable {
    /// The visible kinds of changes in a change-set.
    struct Parts: OptionSet {
        let rawValue: Int

        static let inserts = Parts(rawValue: 1 << 0)
        static let deletes = Parts(rawValue: 1 << 1)
        static let moves = Parts(rawValue: 1 << 2)
    }

    /// Rows slide to their new lines; a moved row travels in the same span.
    var slide: Span
    var fadeIn: Span
    var fadeOut: Span
    /// The tint of an updated row.
    var update: Span
    /// The tint of a moved row, which stays until the row has arrived.
    var landed: Span

    /// Creates a schedule. All parts begin together, except that the gap of a deleted row closes after its text has
    /// faded, and a new text appears when half of its space is open.
    ///
    /// - Parameter inPassing: Whether something is still moving. Then no part waits, so that a stream of changes shows
    ///   the newest rows and not only the space for them.
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
