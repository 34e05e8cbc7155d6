import FileEngine
import ObjectDecoding
import TestSupport
import Testing

@testable import FileReading

@Suite struct FieldSourceTests {
    private static let texts = [
        "price", "genre", "a.b", "a[0]", "a[-1].price", "a[*]", "a.b[*].genre", "é", "K", "object.a", "object.a.b",
        "metadata.price",
        "a.a.a", "key", "size", "row.size", "\"", "object",
    ]

    /// Whatever the bytes are: an expression has the value that the path leads to in all that is decoded.
    @Test(arguments: 0..<Effort.cases(UInt64(12))) func aFieldIsWhatDecodingAllOfTheValueSays(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let decoder = RowDecoder()
        let paths = try Self.texts.map { try #require(FieldPath($0)) }
        // Each alone, and some together.
        let evaluators = try paths.map { try RowExpressions.Evaluator(RowExpressions([$0.text.quotedSQL])) }
        let together = try RowExpressions.Evaluator(RowExpressions(["price", #""a[*]""#, "genre"]))
        var found = 0
        for number in 0..<300 {
            var bytes = random.object()
            if number % 2 == 1 { bytes = random.damaged(bytes) }
            let value = StoredValue(number % 3 == 0 ? .text(bytes) : .blob(bytes), size: bytes.count)
            var row = BrowsedRow(rowid: 1, address: .init(collection: StoredText("c"), key: StoredText("k")))
            (row.object, row.metadata) = (value, number % 5 == 0 ? nil : value)
            let (object, metadata) = (decoder.object(of: row)?.value, decoder.metadata(of: row)?.value)
            let values = try evaluators.map { try $0.values(of: row)[0] }
            #expect(try together.values(of: row) == [values[0], values[5], values[1]])
            for (path, value) in zip(paths, values) {
                let wanted: SQLValue? =
                    switch path.root {
                    case .object: object.flatMap { path.value(in: $0)?.sqlValue }
                    case .metadata: metadata.flatMap { path.value(in: $0)?.sqlValue }
                    case .row: path.property(of: row)
                    case .any: object.flatMap { path.value(in: $0)?.sqlValue } ?? path.property(of: row)
                    }
                #expect(
                    value == wanted ?? .null,
                    "seed \(seed), \(number), \(path.text): \(String(decoding: bytes, as: UTF8.self))")
                if wanted != nil { found += 1 }
            }
        }
        #expect(found > 1_000)
    }

    /// A value of which only the beginning was read, and plain text of another program's table, have no members.
    @Test func onlyWholeObjectsHaveMembers() throws {
        let evaluator = try RowExpressions.Evaluator(RowExpressions(["a"]))
        let text = Array(#"{"a":1}"#.utf8)
        var row = BrowsedRow(rowid: 1, object: StoredValue(.text(text), size: 7))
        #expect(try evaluator.values(of: row) == [.integer(1)])
        row.hasPlainTexts = true
        #expect(try evaluator.values(of: row) == [.null])
        row = BrowsedRow(rowid: 1, object: StoredValue(.text(text), size: 8))
        #expect(try evaluator.values(of: row) == [.null])
        row = BrowsedRow(rowid: 1)
        #expect(try evaluator.values(of: row) == [.null])
    }
}
