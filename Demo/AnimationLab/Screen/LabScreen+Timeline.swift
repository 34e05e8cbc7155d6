import LiveTable

extension LabScreen {
    /// The pause between the end of one step's animation and the next step, in seconds of the table's time.
    private static let breath = 0.6

    /// Goes to a position of the timeline at once; only the last step is animated.
    func go(to position: Int) throws {
        guard abs(session.position - position) > 1 else {
            try stage.reload(at: time)
            guard session.position != position else { return }
            return begin(try step(towards: position)) { try self.show($0) }
        }
        begin(try step(towards: position)) { _ in try self.go(to: position) }
    }

    /// Plays all steps from the first, each after the one before is at rest.
    func play() throws {
        guard !session.steps.isEmpty else { throw LabRefusal("There is no step yet.") }
        guard session.position > 0 else {
            try stage.reload(at: time)
            return state.motion.nextStep = now()
        }
        begin(try session.steppingBack()) { _ in try self.play() }
    }

    private func step(towards position: Int) throws -> LabWork {
        try position < session.position ? session.steppingBack() : session.steppingForward()
    }

    /// Takes the next step of playing if it is due.
    func prepareFrame() {
        guard let due = state.motion.nextStep, due <= now(), state.work == nil else { return }
        attempt {
            if stage.table.table.isAnimating(at: time) {
                state.motion.nextStep = now() + LabClock.frame
            } else {
                state.motion.nextStep = nil
                begin(try session.steppingForward()) { outcome in
                    try self.show(outcome)
                    guard self.session.position < self.session.steps.count else { return }
                    self.state.motion.nextStep =
                        self.now() + (0.3 + Self.breath) * Double(self.state.motion.clock.slowness)
                }
            }
        }
    }
}
