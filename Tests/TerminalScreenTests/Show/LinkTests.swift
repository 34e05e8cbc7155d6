import Foundation
import TerminalCells
import TerminalTesting
import Testing

@testable import TerminalScreen

@Suite struct LinkTests {
    @Test func aLinkIsWrittenAgainWithItsAddress() {
        let bytes = written(from: nil, to: "https://a.b/x")
        let pattern =
            /\u{1B}7\u{1B}\[1;3H\u{1B}\]8;id=[0-9a-z]+;https:\/\/a\.b\/x\u{1B}\\\u{1B}\[0msite\u{1B}\]8;;\u{1B}\\\u{1B}8/
        #expect(bytes.wholeMatch(of: pattern) != nil, "\(bytes.debugDescription)")
    }

    @Test func whatIsNoLinkAnyMoreIsWrittenWithoutOne() {
        #expect(written(from: "https://a.b/x", to: nil) == "\u{1B}7\u{1B}[1;3H\u{1B}[0msite\u{1B}8")
        #expect(written(from: nil, to: nil).isEmpty)
    }

    @Test func anAddressIsVisibleASCII() {
        #expect(LinkSequence.encoded("https://a.b/ä\u{1B}\\ x\u{07}") == "https://a.b/%C3%A4%1B\\%20x%07")
        #expect(LinkSequence.encoded("https://" + String(repeating: "x", count: 3000)) == nil)
    }

    @Test func linksAreForTerminalsThatKnowThem() async throws {
        for (program, count) in [("", 0), ("WezTerm", 1)] {
            let probe = try await ProbeRun(environment: ["TERM_PROGRAM": program])
            try await probe.send("l", expect: "key l")
            try await probe.send("n", expect: "key n")
            probe.terminal.send("q")
            _ = try await probe.terminal.waitForEnd()
            let written = String(decoding: probe.terminal.output, as: UTF8.self)
            #expect(written.components(separatedBy: ";https://a.b/%C3%A4\u{1B}\\").count == count + 1, "\(program)")
            #expect(written.contains("site"))
        }
    }

    private func written(from before: String?, to after: String?) -> String {
        let (old, new) = (grid(before), grid(after))
        var sequence = LinkSequence(depth: .palette)
        sequence.add(
            line: 0, of: new, width: 20, from: old.addresses(ofLine: 0) ?? [:], to: new.addresses(ofLine: 0) ?? [:])
        sequence.finish()
        return sequence.bytes
    }

    private func grid(_ address: String?) -> Grid {
        var grid = Grid(width: 20, height: 1)
        grid.draw([Run("a "), Run("site", link: address), Run(" here")], x: 0, y: 0)
        return grid
    }
}
