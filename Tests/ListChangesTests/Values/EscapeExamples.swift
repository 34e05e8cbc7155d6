import Testing

@testable import ListChanges

@Suite struct EscapeExamples {
    @Test func aMarkIsEscapedWhateverStandsBehindIt() {
        let text =
            "it's".escaping("'", with: "'")  // "it''s", as SQL has it
        #expect(text == "it''s")
        for mark in ["\u{301}", "\u{200D}", "\u{FE0F}", ""] {
            let escaped = "a\"\(mark)b\\".escaping("\"\\", with: "\\")
            #expect(escaped.utf8.elementsEqual("a\\\"\(mark)b\\\\".utf8))
        }
    }
}
