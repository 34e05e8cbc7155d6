import LiveTable
import Testing

/// The examples in the doc comments of the terminal's values.
@Suite struct TerminalExamples {
    @Test func aFieldOfSeveralLines() {
        var composer = TextField(placeholder: "Write a message", maxLines: 6)
        composer.wrap(to: Rect(x: 0, y: 0, width: 60, height: 6))  // when the screen's size changes
        let height = composer.height(inWidth: 60)  // how many lines to give it
        #expect(height == 1)
    }

    @Test func aMessage() {
        let theme = Theme()
        let text = MessageText("@bob see https://example.org :tada:", names: ["bob", "carol"], reader: "bob")
        let isUrgent = text.isForReader  // true
        let lines = text.lines(width: 60, theme: theme, most: 12)  // to be drawn, with the link as a link
        #expect(isUrgent && lines.lines.map(\.text) == ["@bob see https://example.org 🎉"])
    }

    @Test func completingAName() {
        let names = ["bob", "carol"]
        var field = TextField("b")
        var completion = Completion()
        // Tab:
        let isDone = completion.step(in: &field) { word, isFirst in names.filter { $0.hasPrefix(word) } }
        // Any other key:
        completion.reset()
        #expect(isDone && field.text == "bob")
    }
}
