import LiveTable
import Testing

@testable import AnimationLab

/// The keys of the lab, without a session.
@Suite struct LabStateTests {
    private var state: LabState {
        LabState(
            screen: ScreenState(size: (80, 24), theme: Theme()), keys: .standard,
            options: LabOptions(seed: 7, motion: .full, unicode: .safe), at: 0)
    }

    private func press(_ name: String, _ state: inout LabState, at now: Double = 0) -> LabState.Request? {
        guard let stroke = KeyStroke(named: name) else { preconditionFailure("no key \(name)") }
        return state.update(.key(stroke.key, stroke.modifiers), at: now)
    }

    @Test func keysAreRequestsOrChangesOfTheState() {
        var state = state
        #expect(press("a", &state) == .edit(.insertAfter))
        #expect(press("5", &state) == nil && press("j", &state) == .move(.selectNext(5)))
        #expect(press("-", &state, at: 10) == nil && state.motion.clock.slowness == 2)
        #expect(press("q", &state) == nil && state.screen.effects == [.quit])
    }

    @Test func aSeedIsAskedFor() {
        var state = state
        #expect(press("S", &state) == nil && state.prompt?.field.text == "7")
        #expect(press("1", &state) == nil)
        #expect(press("Enter", &state) == .answer(.stormSeed(count: LabState.stormEdits), "71"))
        #expect(state.prompt == nil)
    }

    @Test func theGalleryIsAListOfItsOwn() {
        var state = state
        state.overlay = .entries(.init("Examples", LabEntry.examples))
        #expect(press("j", &state) == nil && press("Down", &state) == nil && press("k", &state) == nil)
        #expect(press("Enter", &state) == .choose(1))
        #expect(!state.isCovered && state.entries.all.map(\.name) == LabEntry.examples.map(\.name))
    }

    @Test func whileACommitIsUnderWayKeysWait() {
        var state = state
        state.work = LabWaiting(start: 0)
        #expect(press("d", &state) == nil && press("-", &state, at: 1) == nil)
        #expect(state.work?.keys.count == 2 && state.motion.clock.slowness == 1)
        #expect(state.work?.text(at: 0.1) == "" && state.work?.text(at: 1) == "writing, 2 keys wait   ")
        #expect(state.update(.resize(width: 40, height: 12), at: 1) == .layOut && state.screen.size.width == 40)
        // A key that changes nothing in the session is handled, if none waits and the commit takes long.
        state.work = LabWaiting(start: 0)
        #expect(
            press("-", &state, at: 1) == nil && state.motion.clock.slowness == 2 && state.work?.keys.isEmpty == true)
    }

    @Test func aKeyWithAMeaningClosesTheIntroductionAndTakesEffect() {
        var state = state
        state.overlay = .introduction(Overlay("Example", [Line(text: "One line.")]))
        #expect(press("Esc", &state) == nil && !state.isCovered)
        state.overlay = .introduction(Overlay("Example", [Line(text: "One line.")]))
        #expect(press("Right", &state) == .travel(.forward) && !state.isCovered)
    }
}
