import Testing

@testable import TerminalCells

@Suite struct KeyReaderTests {
    @Test func vimKeysAndArrowsDoTheSame() {
        #expect(read("j") == [.action(.next, count: nil)])
        var reader = KeyReader(.table)
        #expect(reader.read(.down) == .action(.next, count: nil))
        #expect(reader.read(.character("d"), .control) == .action(.halfPageDown, count: nil))
        #expect(reader.read(.character("G"), .shift) == .action(.last, count: nil), "some terminals name Shift as well")
    }

    @Test func aNumberInFrontIsTheCount() {
        #expect(read("12j") == [.pending, .pending, .action(.next, count: 12)])
        #expect(read("10G") == [.pending, .pending, .action(.last, count: 10)])
        #expect(read("0") == [.unknown], "a count does not begin with 0")
        #expect(read("3xj") == [.pending, .unknown, .action(.next, count: nil)])
    }

    @Test func aHugeNumberIsCut() {
        let outcome = read("99999999999999999999j").last
        #expect(outcome == .action(.next, count: 999_999_999))
    }

    @Test func aSequenceWaitsForItsEnd() {
        #expect(read("zz") == [.pending, .action(.center, count: nil)])
        #expect(read("zxj") == [.pending, .unknown, .action(.next, count: nil)])
    }

    @Test func ggIsGOnceAndAtOnce() {
        #expect(read("g") == [.action(.first, count: nil)])
        #expect(read("gg") == [.action(.first, count: nil), .pending])
        #expect(read("5ggj") == [.pending, .action(.first, count: 5), .pending, .action(.next, count: nil)])
        #expect(read("ggg").last == .action(.first, count: nil))
    }

    @Test func whatIsUnfinishedCanBeShownAndForgotten() {
        var reader = KeyReader(.table)
        _ = reader.read(.character("1"))
        _ = reader.read(.character("z"))
        #expect(reader.pending == "1z")
        reader.reset()
        #expect(reader.pending == "")
        #expect(reader.read(.character("j")) == .action(.next, count: nil))
    }

    private func read(_ keys: String) -> [KeyReader.Reading] {
        var reader = KeyReader(.table)
        return keys.map { reader.read(.character($0)) }
    }
}
