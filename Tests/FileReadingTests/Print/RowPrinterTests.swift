import Foundation
import TestSupport
import Testing

@testable import FileReading

@Suite struct RowPrinterTests {
    /// Thousands of rows on several threads, with large ones between them, give the same lines as a single thread.
    @Test(arguments: Effort.some(PrintFormat.allCases)) func linesComeInOrder(format: PrintFormat) throws {
        let text = Array(#"{"text":"two, three"}"#.utf8)
        let rows = (0..<2_000).map { number in
            var row = BrowsedRow(rowid: Int64(number))
            row.address = .init(collection: StoredText("c"), key: StoredText("k\(number)\n\""))
            let bytes = number % 701 == 700 ? Array("\"\(String(repeating: "é,\"", count: 300_000))\"".utf8) : text
            row.object = StoredValue(.blob(bytes), size: bytes.count)
            return ListedRow(row, decoder: RowDecoder())
        }
        var printed: [UInt8] = []
        let printer = RowPrinter(format, isGrouped: false) { printed += $0 }
        try printer.begin()
        for row in rows { try printer.print(row) }
        try printer.end()
        var lines = RowLines(format, isGrouped: false, isForTerminal: false)
        var expected = lines.names ?? []
        if format == .plain { for row in rows.prefix(100) { lines.widen(to: row, limit: 48) } }
        for row in rows { lines.append(row, to: &expected) }
        #expect(printed == expected)
        #expect(!printer.isPartial)
    }
}
