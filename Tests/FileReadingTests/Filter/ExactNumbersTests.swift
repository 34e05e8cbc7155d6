import FileEngine
import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import FileReading

/// Numbers that SQLite does not have are printed as they are stored, and are never taken for others.
@Suite struct ExactNumbersTests {
    private static func number(_ random: inout SplitMix64) -> String {
        let base = [0, UInt64.max, 1 << 63, 1 << 53, 10_000_000_000_000_000_000][Int(random.below(5))]
        let near = base &+ UInt64(random.below(5)) &- 2
        return switch random.below(7) {
        case 0: "\(near)"
        case 1: "-\(near)"
        case 2: "\(random.next())"
        case 3: "\(max(near, 1))0000\(random.below(10))"
        case 4: "\(near % 1000).\(random.below(1000))0"
        case 5: "\(near % 100)E+\(random.below(400))"
        default: String((0..<50).map { _ in "123456789".randomElement(using: &random)! })
        }
    }

    /// The value that SQLite computes with.
    private static func value(_ number: String) -> SQLValue {
        if let integer = Int64(number) { return .integer(integer) }
        guard number.allSatisfy({ $0 == "-" || $0.isNumber }) else {
            let real = Double(number)!
            return real.isFinite ? .real(real) : .null
        }
        // Decimal digits of a real are exact.
        let real = Double(number)!
        return String(format: "%.0f", real) == number ? .real(real) : .null
    }

    @Test(arguments: 0..<Effort.cases(UInt64(8)), [false, true]) func theyAreExact(seed: UInt64, isPlist: Bool) throws {
        var random = SplitMix64(seed: seed)
        let numbers = (0..<200).map { _ in isPlist ? "\(random.next() >> random.below(3))" : Self.number(&random) }
        let rows = try zip(Int64(1)..., numbers).map { rowid, number in
            let data =
                isPlist
                ? try PropertyListSerialization.data(
                    fromPropertyList: ["n": UInt64(number)!, "text": number] as [String: Any], format: .binary,
                    options: 0)
                : Data("{\"n\":\(number),\"text\":\"\(number)\"}".utf8)
            return BrowsedRow(
                rowid: rowid, address: .init(collection: StoredText("c"), key: StoredText("\(rowid)")),
                object: StoredValue(.blob(Array(data)), size: data.count))
        }
        let texts = ["n", "n + 0", "n = n", "\"n\"", "object.n"]
        let evaluators = RowEvaluators(try RowExpressions(texts))
        for (number, values) in zip(numbers, try evaluators.values(of: rows)) {
            let value = Self.value(number)
            // -0 is a real of its own.
            #expect(values[0].order(to: value) == 0, "seed \(seed), \(number)")
            #expect(values[2] == (value == .null ? .null : .integer(1)), "seed \(seed), \(number)")
        }
        let beyond = numbers.count { Self.value($0) == .null }
        func isSaid(_ remarks: ExpressionRemarks) -> Bool {
            let count = beyond == 1 ? "1 row, c/" : "\(beyond) rows, for example c/"
            return remarks.sentences.contains { $0.hasPrefix("\"n\" counts as NULL for \(count)") }
        }
        #expect(isSaid(evaluators.remarks) == (beyond > 0) && evaluators.remarks.isPartial == (beyond > 0))

        for format in PrintFormat.allCases {
            for columns in ["n,\"n\",object.n,text", "n,n = n"] {
                var printed: [UInt8] = []
                let printer = try ColumnPrinter(columns: columns, format, isForTerminal: false) { printed += $0 }
                for row in rows { try printer.print(row) }
                try printer.flush()
                let lines = String(decoding: printed, as: UTF8.self).split(whereSeparator: \.isNewline)
                for (number, line) in zip(numbers, lines) {
                    let fields = line.split { ",:|\t{}\\\" ".contains($0) }.filter {
                        $0 != "text" && !$0.hasSuffix("n")
                    }
                    let isComputed = !columns.contains("text")
                    #expect(fields.first.map(String.init) == number, "seed \(seed), \(columns), \(format)")
                    if !isComputed { #expect(Set(fields.map(String.init)) == [number], "\(line)") }
                }
                // What is printed alone is not computed with.
                #expect(
                    isSaid(printer.remarks) == (beyond > 0 && columns.contains("=")), "\(printer.remarks.sentences)")
            }
        }
    }
}
