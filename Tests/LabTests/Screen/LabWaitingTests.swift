import LiveTable
import Testing

@testable import AnimationLab

/// Keys that are pressed while a commit is under way.
@Suite @MainActor struct LabWaitingTests {
    private struct Refused: Error, CustomStringConvertible { let description = "The disk is full." }

    /// Commits that a test completes one after the other.
    @MainActor private final class Gate {
        private var waiting: [@MainActor (Bool) -> Void] = []

        func enter(
            _ database: LabDatabase, _ operations: [RowOperation],
            _ done: @escaping @MainActor @Sendable (Result<Duration, any Error>) -> Void
        ) {
            waiting.append { isGood in
                done(isGood ? Result { try database.commit(operations) }.map { .zero } : .failure(Refused()))
            }
        }

        /// Returns false if no commit is waiting.
        @discardableResult func open(isGood: Bool = true) -> Bool {
            guard !waiting.isEmpty else { return false }
            waiting.removeFirst()(isGood)
            return true
        }
    }

    @Test func keysWaitForTheirTurnAndComeToTheSame() throws {
        let keys = ["j", "a", "j", "d", "K", "c", "[", "]", "u", "s", "x"]
        let expected = try withLab([.small]) { lab, gate in
            for key in keys {
                lab.press(key)
                while gate.open() {}
            }
            return lab.session.shown
        }
        try withLab([.small]) { lab, gate in
            for key in keys { lab.press(key) }
            while gate.open() {}
            #expect(lab.session.shown == expected && lab.state.work == nil)
        }
    }

    @Test func aCommitThatFailsLeavesEverythingAndTheKeysBehindItAreLeftOut() throws {
        try withLab([.small]) { lab, gate in
            lab.press("j")
            lab.press("d")
            lab.press("d")
            lab.press("a")
            #expect(!lab.state.screen.needsFrame)
            gate.open(isGood: false)
            #expect(lab.state.screen.needsFrame && !gate.open())
            #expect(lab.state.screen.message?.text == "The disk is full. The keys typed since then were dropped.")
            #expect(lab.session.shown == "A: k1 k2 k3 | B: k4" && lab.session.steps.isEmpty && lab.session.held.isEmpty)
            lab.press("d")
            gate.open()
            #expect(lab.session.shown == "A: k2 k3 | B: k4")
        }
    }

    @Test func ofSeveralCommitsThoseBeforeTheFailureAreStillThere() throws {
        try withLab([.small]) { lab, gate in
            lab.press("h")
            for _ in 0..<2 {
                lab.press("j")
                lab.press("d")
                gate.open()
            }
            #expect(lab.session.held.count == 2)
            // Undoes both, and redoes the first.
            lab.press("u")
            gate.open()
            gate.open(isGood: false)
            #expect(lab.session.held.isEmpty && lab.session.rows.contents.count == 4)
            let stored = try lab.session.database.allRows()
            #expect(stored == lab.session.rows.contents)
        }
    }

    @Test func whatAnotherProgramCommitsIsLookedAtAfterwards() throws {
        try withLab([.small]) { lab, gate in
            lab.press("j")
            lab.press("d")
            try lab.session.database.commit([.row("k9", "B", 5)])
            lab.followForeignCommit(of: lab.session.database.database)
            #expect(lab.session.shown == "A: k1 k2 k3 | B: k4")
            gate.open()
            #expect(lab.session.shown == "A: k2 k3 | B: k9 k4" && lab.session.steps.isEmpty)
        }
    }

    @Test func aHeldListHoldsWhatAnotherProgramCommitsMeanwhile() throws {
        try withLab([.small]) { lab, gate in
            lab.press("h")
            lab.press("j")
            lab.press("d")
            try lab.session.database.commit([.row("k9", "B", 5)])
            lab.followForeignCommit(of: lab.session.database.database)
            lab.press("Left")
            gate.open()
            #expect(lab.session.shown == "A: k1 k2 k3 | B: k4" && lab.session.isHoldingForeign)
            #expect(lab.state.screen.message?.text == "First show what another program committed: Enter.")
            lab.press("Enter")
            #expect(lab.session.shown == "A: k2 k3 | B: k9 k4" && !lab.session.isHoldingForeign)
            #expect(lab.state.work == nil)
        }
    }

    @Test func aFailureIsToldThoughAnotherProgramCommitsMeanwhile() throws {
        try withLab([.small]) { lab, gate in
            lab.press("j")
            lab.press("d")
            lab.press("d")
            try lab.session.database.commit([.row("k9", "B", 5)])
            lab.followForeignCommit(of: lab.session.database.database)
            gate.open(isGood: false)
            #expect(!gate.open() && lab.session.shown == "A: k1 k2 k3 | B: k9 k4")
            #expect(lab.state.screen.message?.text == "The disk is full. The keys typed since then were dropped.")
        }
    }

    @discardableResult
    private func withLab<Value>(
        _ entries: [LabEntry], _ body: (LabScreen, Gate) throws -> Value
    ) throws -> Value {
        let folder = try ScratchFolder()
        let gate = Gate()
        let result = Result {
            let shelf = LabShelf(folder: folder, seed: 1)
            let lab = try LabScreen(
                LabOptions(seed: 1, motion: .none, unicode: .safe), keys: .standard, entries: entries, shelf: shelf,
                depth: .monochrome, size: (80, 24), write: { gate.enter($0, $1, $2) }, now: { 100 })
            let value = try body(lab, gate)
            try lab.stage.close()
            return value
        }
        try folder.remove()
        return try result.get()
    }
}

extension LabScreen {
    fileprivate func press(_ name: String) {
        guard let stroke = KeyStroke(named: name) else { preconditionFailure("no key \(name)") }
        handle(.key(stroke.key, stroke.modifiers))
    }
}
