/// The last question that a terminal was asked. It answers in order, so with this answer it has answered all.
struct TerminalQuestion: Sendable {
    /// Whether it is the one for its abilities, which every terminal answers; else the one for a mode.
    let ofAbilities: Bool
    private let asked = ContinuousClock.now

    /// After so many times what leaving waits for the answer there will be none.
    private static let limit = 20

    init(ofAbilities: Bool) { self.ofAbilities = ofAbilities }

    /// Until when leaving waits for the answer: what a terminal answers later is read by the shell, as if it were typed.
    func deadline(_ patience: Duration) -> ContinuousClock.Instant {
        min(.now + patience, asked + patience * Self.limit)
    }
}
