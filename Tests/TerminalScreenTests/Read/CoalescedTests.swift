import TerminalCells
import Testing

@testable import TerminalScreen

@Suite struct CoalescedTests {
    @Test func wheelStepsAddUp() {
        let events = [wheel(3, x: 1), wheel(3, x: 2), wheel(-3, x: 3), .key("j"), wheel(3, x: 4)]
        #expect(events.coalesced == [wheel(3, x: 3), .key("j"), wheel(3, x: 4)])
    }

    @Test func wheelStepsWithOtherModifiersStayApart() {
        let control = InputEvent.mouse(MouseEvent(.wheel(lines: 3), x: 1, y: 0, modifiers: .control))
        #expect([wheel(3, x: 1), control].coalesced == [wheel(3, x: 1), control])
    }

    @Test func theLastPlaceOfADragCounts() {
        let events: [InputEvent] = [
            .mouse(MouseEvent(.press(button: 1), x: 0, y: 0)), .mouse(MouseEvent(.drag(button: 1), x: 1, y: 0)),
            .mouse(MouseEvent(.drag(button: 1), x: 2, y: 0)), .mouse(MouseEvent(.release, x: 2, y: 0)),
        ]
        #expect(events.coalesced == [events[0], events[2], events[3]])
    }

    @Test func theLastSizeCounts() {
        #expect(
            [.resize(width: 1, height: 1), .resize(width: 2, height: 2)].coalesced == [.resize(width: 2, height: 2)])
    }

    @Test func keysAreNeverMerged() {
        #expect([InputEvent.key("j"), .key("j")].coalesced == [.key("j"), .key("j")])
        #expect([InputEvent]().coalesced == [])
    }

    private func wheel(_ lines: Int, x: Int) -> InputEvent {
        .mouse(MouseEvent(.wheel(lines: lines), x: x, y: 0))
    }
}
