import SeededRandom
import TestSupport
import Testing

@testable import FileEngine

/// Numbers, texts and bytes of a commit record.
@Suite struct ByteFormTests {
    @Test func whatIsWrittenIsReadBack() {
        let numbers = [0, 1, -1, 127, 128, -128, .max, .min]
        var writer = ByteWriter()
        for number in numbers { writer.write(number) }
        for text in ["", "a", "e\u{301}", "n\0ul"] { writer.write(text) }
        writer.write([1, 2, 3] as [UInt8])
        var reader = ByteReader(writer.bytes[...])
        #expect(numbers.map { _ in reader.int() } == numbers)
        for text in ["", "a", "e\u{301}", "n\0ul"] { #expect(reader.text().map { Array($0.utf8) } == Array(text.utf8)) }
        #expect(reader.data().map { Array($0) } == [1, 2, 3])
        #expect(reader.remaining.isEmpty)
    }

    @Test func everyCutIsNoticed() {
        var writer = ByteWriter()
        writer.write(300)
        writer.write("some text")
        for end in 0..<writer.bytes.count {
            var reader = ByteReader(writer.bytes[..<end])
            #expect(reader.int() == nil || reader.text() == nil, "\(end) bytes")
        }
    }
}
