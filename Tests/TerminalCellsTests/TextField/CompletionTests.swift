import Testing

@testable import TerminalCells

@Suite struct CompletionTests {
    private func find(_ word: String, _ isFirst: Bool) -> [String] {
        ["@bob", "@bonnie", "/join", "/leave"].filter { $0.hasPrefix(word) && (isFirst || $0.hasPrefix("@")) }
    }

    @Test func tabGoesThroughTheCandidatesAndBackToTheWord() {
        var (field, completion) = (TextField("hi @b"), Completion())
        let texts = (0..<4).map { _ in
            completion.step(in: &field, find: find)
            return field.text
        }
        #expect(texts == ["hi @bob", "hi @bonnie", "hi @b", "hi @bob"])
        completion.step(in: &field, backward: true, find: find)
        #expect(field.text == "hi @b" && completion.index == nil && completion.candidates.count == 2)
    }

    @Test func aSingleCandidateIsDoneAtOnce() {
        var (field, completion) = (TextField("/j"), Completion())
        #expect(completed(&completion, &field) && field.text == "/join" && !completion.isActive)
        field = TextField("x /j")
        #expect(!completed(&completion, &field), "a command stands first")
        field = TextField("word ")
        #expect(!completed(&completion, &field) && field.text == "word ")
    }

    @Test func onlyTheWordBeforeTheCursorChanges() {
        var (field, completion) = (TextField("@bon there"), Completion())
        for _ in 0..<6 { field.moveLeft() }
        #expect(completed(&completion, &field) && field.text == "@bonnie there" && field.cursor == 7)
    }

    private func completed(_ completion: inout Completion, _ field: inout TextField) -> Bool {
        completion.step(in: &field, find: find)
    }
}
