import FileEngine
import ObjectDecoding
import SeededRandom
import TestSupport
import Testing

@testable import FileReading

/// One column that SQLite cannot compute for a row costs that value alone, and is said.
@Suite struct ExpressionRemarksTests {
    private struct Model {
        let n: Int64
        let json: String
        let isWhole: Bool

        var stored: StoredValue {
            let text = "{\"n\": \(n), \"j\": \"\(json.replacing("\"", with: "\\\""))\"" + (isWhole ? "}" : "")
            return StoredValue(.text(Array(text.utf8)), size: text.utf8.count)
        }
        var number: SQLValue { isWhole ? .integer(n) : .null }
        var absolute: SQLValue { isWhole && n != .min ? .integer(abs(n)) : .null }
        var x: SQLValue { isWhole && json.hasSuffix("}") ? .integer(5) : .null }
    }

    @Test(arguments: 0..<Effort.cases(UInt64(8))) func eachValueIsComputedByItself(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let models = (0..<200).map { _ in
            Model(
                n: random.below(4) == 0 ? .min : Int64(random.below(9)) - 4,
                json: random.below(3) == 0 ? "{\"x\"" : "{\"x\": 5}", isWhole: random.below(5) > 0)
        }
        let rows = zip(Int64(1)..., models).map { rowid, model in
            BrowsedRow(
                rowid: rowid, address: .init(collection: StoredText("c"), key: StoredText("\(rowid)")),
                object: model.stored)
        }
        let texts = ["n", "abs(n)", "row.key", "json_extract(j, '$.x')", "nofield"]
        let evaluators = RowEvaluators(try RowExpressions(texts))
        let values = try evaluators.values(of: rows)
        for (row, (model, values)) in zip(rows, zip(models, values)) {
            let wanted: [SQLValue] = [model.number, model.absolute, .text("\(row.rowid)"), model.x, .null]
            #expect(values == wanted, "seed \(seed), \(row.rowid)")
        }
        let remarks = evaluators.remarks
        func expect(_ rows: [Int], _ words: String) {
            let count = rows.count == 1 ? "1 row, c/\(rows[0])" : "\(rows.count) rows, for example c/\(rows.first ?? 0)"
            let isSaid = remarks.sentences.contains { $0.contains(words) && $0.contains("\(count):") }
            #expect(isSaid == !rows.isEmpty, "seed \(seed), \(words), \(count): \(remarks.sentences)")
        }
        let numbered = Array(zip(1..., models))
        expect(numbered.filter { $0.1.isWhole && $0.1.absolute == .null }.map(\.0), "\"abs(n)\" cannot be computed")
        expect(numbered.filter { $0.1.isWhole && $0.1.x == .null }.map(\.0), "malformed JSON")
        expect(numbered.filter { !$0.1.isWhole }.map(\.0), "cannot be decoded")
        #expect(remarks.unseenNames == ["nofield"] && remarks.isPartial)
    }

    /// The order of a row that is left out, and a second expression behind a false condition, are not asked for.
    @Test func whatIsNotAskedForIsNotSaid() throws {
        try withFile(
            "json", changedBy: ["UPDATE database2 SET data = '{\"n\": -9223372036854775808}' WHERE key = 'k001'"]
        ) {
            path throws in
            let snapshot = try BrowsedFile(path: path).snapshot
            let content = try ListContent(.collection(StoredText("c"), by: .key), snapshot, catalog: snapshot.catalog())
            let order = FilteredRows.Order("abs(n) ASC")
            for (condition, isPartial) in [("row.key <> 'k001'", false), ("1", true)] {
                let rows = try FilteredRows(content, where: condition, order: order)
                try rows.enumerate(RowSelection()) { _ in }
                #expect(rows.remarks.isPartial == isPartial, "\(condition): \(rows.remarks.sentences)")
                #expect(!isPartial || rows.remarks.sentences[0].hasPrefix("\"abs(n)\""))
            }
        }
    }

    @Test func anEndlessExpressionEndsWhenItIsCancelled() async throws {
        let endless = "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c)"
        let isCancelled = Locked(false)
        let evaluators = RowEvaluators(try RowExpressions(["1", endless])) { isCancelled.withLock { $0 } }
        let work = Task.detached { try evaluators.values(of: [BrowsedRow(rowid: 1)]) }
        // So that it mostly has begun; it has to end either way.
        try await Task.sleep(for: .milliseconds(20))
        isCancelled.withLock { $0 = true }
        let error = await #expect(throws: YapDatabaseError.self) { try await work.value }
        #expect(error?.code == .interrupted)
    }
}
