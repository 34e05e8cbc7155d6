import ScreenPrograms
import Testing

@testable import Browser
@testable import FileReading

/// What is selected while values are being counted, whose order changes then.
@MainActor @Suite struct CountPaneTests {
    private func result(_ counts: [(String, Int)], isOver: Bool) -> FieldCount.Result {
        var result = FieldCount.Result()
        result.entries = counts.map { FieldCount.Entry(value: .text($0.0), count: $0.1) }
        (result.values, result.isOver) = (counts.count, isOver)
        return result
    }

    private func pane() -> CountPane {
        CountPane("genre", TableOptions(), size: (width: 40, height: 10), isFocused: true)
    }

    @Test func theFirstValueIsSelectedUntilAKeyMovesTheSelection() {
        let pane = pane()
        pane.show(result([("cooking", 3), ("fantasy", 2)], isOver: false), at: 0)
        #expect(pane.selected?.value == .text("cooking"))
        pane.show(result([("fantasy", 108), ("cooking", 102)], isOver: true), at: 1)
        #expect(pane.selected?.value == .text("fantasy"))
    }

    @Test func aChosenValueStaysSelectedWhereverItGoes() {
        let pane = pane()
        pane.show(result([("cooking", 3), ("fantasy", 2), ("poetry", 1)], isOver: false), at: 0)
        pane.perform(.selectNext(), at: 1)
        #expect(pane.selected?.value == .text("fantasy"))
        pane.show(result([("fantasy", 108), ("cooking", 102), ("poetry", 90)], isOver: true), at: 2)
        #expect(pane.selected?.value == .text("fantasy"))
        pane.perform(.selectNext(), at: 3)
        pane.show(result([("cooking", 120), ("fantasy", 108), ("poetry", 90)], isOver: true), at: 4)
        #expect(pane.selected?.value == .text("cooking"))
    }
}
