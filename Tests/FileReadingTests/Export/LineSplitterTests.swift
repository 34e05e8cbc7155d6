import Testing

@testable import FileReading

/// What is read of an export, in blocks of whole lines.
@Suite struct LineSplitterTests {
    /// Returns the blocks of a text that is read in portions of three bytes.
    private func blocks(of text: String, limit: Int = 40, strangeLimit: Int = 10) throws -> [String] {
        var splitter = LineSplitter(limit: limit, strangeLimit: strangeLimit)
        var blocks: [[UInt8]] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, !splitter.isStrange {
            let block = try Array(rest.prefix(3)).withUnsafeBufferPointer { try splitter.add($0) }
            blocks += block.map { [$0] } ?? []
            rest = rest.dropFirst(3)
        }
        return (blocks + (splitter.end().map { [$0] } ?? [])).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func allLinesAreThereWhole() throws {
        let text = "{\"a\":1}\n\n{\"long\":\"\(String(repeating: "x", count: 20))\"}\n{}\n{\"end\":2}"
        #expect(try blocks(of: text).joined() == text)
        #expect(try blocks(of: text).dropLast().allSatisfy { $0.hasSuffix("\n") })
    }

    @Test func ofALineThatIsNoneOfAnExportTheBeginningIsRead() throws {
        let long = String(repeating: "x", count: 100)
        for line in ["{" + long, "{}\n" + long, "{}\n{\u{0}" + String(repeating: "\u{0}", count: 100)] {
            let read = try blocks(of: line).joined()
            #expect(line.hasPrefix(read) && read.count < 20, "\(read)")
        }
    }

    @Test func aLineWithoutAnEndIsAnErrorThatNamesIt() throws {
        let error = #expect(throws: LongLine.self) {
            _ = try blocks(of: "{}\n{\"a\":\"" + String(repeating: "x", count: 100))
        }
        let text = error?.inLine(2, of: "rows.jsonl").description
        #expect(text == "rows.jsonl, line 2: it has more than 40 bytes, and no row has so many. No file was made.")
    }
}
