import LiveTable

extension LabScreen {
    /// Between the end of one step's motion and the next step, in seconds of the table's time.
    private static let breath = 0.6

    /// Goes to a place of the timeline at once; only the last step is seen moving.
    func go(to position: Int) throws {
        let isBackwards = position < session.position
        while abs(session.position - position) > 1 {
            _ = try isBackwards ? session.stepBack() : session.stepForward()
        }
        try stage.reload(at: time)
        if session.position != position { try show(isBackwards ? session.stepBack() : session.stepForward()) }
    }

    /// Plays all steps from the first, each after the one before has come to rest.
    func play() throws {
        guard !session.steps.isEmpty else { throw LabRefusal("Nothing was done yet.") }
        while session.position > 0 { _ = try session.stepBack() }
        try stage.reload(at: time)
        nextStep = now()
    }

    /// Takes the next step, if it is due.
    func playOn() {
        guard let due = nextStep, due <= now() else { return }
        attempt {
            if stage.table.table.isAnimating(at: time) {
                nextStep = now() + LabClock.frame
            } else {
                nextStep = nil
                try show(session.stepForward())
                if session.position < session.steps.count {
                    nextStep = now() + (0.3 + Self.breath) * Double(clock.slowness)
                }
            }
        }
    }
}
