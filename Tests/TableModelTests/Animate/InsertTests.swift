import Testing

@testable import TableModel

@Suite struct InsertTests {
    @Test func theSpaceOpensAndThenTheTextAppears() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a x b c"))
        #expect(screen.lines() == [" a", " b", " c", "", ""])
        #expect(screen.lines(after: 60) == [" a", "", " b", " c", ""])
        #expect(screen.lines(after: 150) == [" a", " x", " b", " c", ""])
        #expect(screen.lines(after: 300) == [" a", " x", " b", " c", ""])
    }
}
