import TableModel
import Testing

@Suite struct TableCommandTests {
    @Test func actionsOfATableAreItsCommands() {
        #expect(TableCommand(.next, count: 12) == .selectNext(12))
        #expect(TableCommand(.first, count: 3) == .selectNumber(3))
        #expect(TableCommand(.first) == .selectFirst)
        #expect(TableCommand(.scrollUp, count: 2) == .scroll(lines: -2))
        #expect(TableCommand(.quit) == nil)
    }
}
