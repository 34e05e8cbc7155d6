import Foundation
import Testing

@testable import ObjectDecoding

@Suite struct OutlineTests {
    private let message = DecodedValue.object(
        className: "Message",
        fields: [
            DecodedField("conversation", .string("conv-17")),
            DecodedField("date", .date(Date(timeIntervalSinceReferenceDate: 500_000_000))),
            DecodedField("isRead", .bool(true)),
            DecodedField("tags", .array([.string("a"), .integer(2)])),
            DecodedField("none", .dictionary([])),
        ])

    @Test func anObjectIsATreeOfLines() {
        #expect(
            shown(DecodedOutline(message)) == """
                Message {
                  conversation  "conv-17"
                  date          2016-11-05 00:53:20
                  isRead        true
                  tags          [
                    0  "a"
                    1  2
                  ]
                  none          {}
                }
                """)
    }

    @Test func whatIsFoldedIsOneLine() {
        var folding = Folding()
        folding.toggle(.root.field("tags"))
        let outline = DecodedOutline(message, folding: folding)
        #expect(shown(outline).contains("  tags          [ 2 values ]\n  none"))
        #expect(outline.lines(0..<9).map(\.fold) == [.open, .none, .none, .none, .closed, .none, .none])
        folding.toggle(.root)
        #expect(shown(DecodedOutline(message, folding: folding)) == "Message { 5 fields }")
        folding.toggle(.root)
        folding.toggle(.root.field("tags"))
        #expect(folding == Folding())
    }

    @Test func everyLineKnowsItsPathAndValue() {
        let outline = DecodedOutline(message)
        let paths = (0..<outline.count).map { outline.line($0).path.description }
        #expect(
            paths == [
                "$", "$.conversation", "$.date", "$.isRead", "$.tags", "$.tags[0]", "$.tags[1]", "$.tags", "$.none",
                "$",
            ])
        #expect(outline.line(5).value == .string("a") && outline.line(0).value == message)
        #expect(outline.line(at: .root.field("tags").element(1)) == 6)
        #expect(outline.line(at: .root.field("else")) == nil)
    }

    @Test func dataShowsWhatIsEncodedInItWhenOpened() throws {
        let value = DecodedValue.dictionary([
            DecodedField("blob", .data(Array(try propertyList(["inner": 7])))), DecodedField("raw", .data([1, 2])),
        ])
        let closed = DecodedOutline(value)
        #expect(closed.lines(1..<3).map(\.fold) == [.closed, .none])
        #expect(closed.line(2).text == "2 bytes  0102")
        var folding = Folding()
        folding.toggle(.root.field("blob"))
        let open = DecodedOutline(value, folding: folding)
        #expect(open.line(3).path.description == "$.blob.$content.inner" && open.line(3).text == "7")
    }

    @Test func aTextIsShownByItsLinesAndBytesAsADump() {
        #expect(shown(DecodedOutline(.string("one\ntwo\n"))) == "text\n  one\n  two\n  ")
        let bytes = DecodedValue.bytes(Array("bplist00 and more".utf8), error: "It is damaged.")
        #expect(
            shown(DecodedOutline(bytes)) == """
                17 bytes: It is damaged.
                  00000000  62 70 6c 69 73 74 30 30  20 61 6e 64 20 6d 6f 72  bplist00 and mor
                  00000010  65                                                e
                """)
    }

    @Test func aHugeValueHasLinesOnlyWhereOneLooks() {
        let value = DecodedValue.array((0..<150_000).map { .integer($0) })
        let outline = DecodedOutline(value)
        #expect(outline.count == 150_002)
        #expect(outline.lines(100_000..<100_002).map(\.text) == ["99999", "100000"])
        #expect(outline.lines(150_000..<200_000).count == 2)
    }

    private func shown(_ outline: DecodedOutline) -> String {
        outline.lines(0..<outline.count).map { line in
            let name = line.name.map { $0.padding(toLength: line.nameWidth, withPad: " ", startingAt: 0) + "  " } ?? ""
            return String(repeating: "  ", count: line.depth) + name + line.text
        }.joined(separator: "\n")
    }
}
