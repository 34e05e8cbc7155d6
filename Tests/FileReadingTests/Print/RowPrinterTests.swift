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

    /// Wherever rows of a megabyte are, plain columns are apart, and stand below each other.
    @Test(arguments: [[0], [0, 1, 2], [7], [0, 99, 150], Array(0..<3)]) func plainColumnsStayApart(large: [Int]) throws
    {
        let text = String(repeating: "é", count: 1 << 19)
        let rows = (0..<(large.count == 3 && large[2] == 2 ? 3 : 200)).map { number in
            var row = BrowsedRow(rowid: Int64(100 + number))
            row.address = .init(collection: StoredText("c"), key: StoredText("k\(100 + number)"))
            let object = Array((large.contains(number) ? "\"\(text)\"" : "\"x\"").utf8)
            row.object = StoredValue(.blob(object), size: object.count)
            let metadata = Array((number % 2 == 0 ? "\"ab\"" : "\"c\"").utf8)
            row.metadata = StoredValue(.blob(metadata), size: metadata.count)
            return ListedRow(row, decoder: RowDecoder())
        }
        var printed: [UInt8] = []
        let printer = RowPrinter(.plain, isGrouped: false) { printed += $0 }
        try printer.begin()
        for row in rows { try printer.print(row) }
        try printer.end()
        let lines = printed.split(separator: 0x0A)
        #expect(lines.count == rows.count)
        var starts: Set<Int> = []
        for (number, line) in lines.enumerated() {
            let fields = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
            #expect(fields.count == 6 && fields.prefix(3) == ["c", "k\(100 + number)", "\(100 + number)"])
            #expect(fields.dropFirst(4).first == (number % 2 == 0 ? "\"ab\"" : "\"c\""))
            starts.insert((line.lastIndex(of: 0x20) ?? 0) - line.startIndex)
        }
        #expect(starts.count == 1, "\(starts)")
    }

    /// A table of another program has its own columns as fields: texts as they are, nothing for NULL, bytes in digits.
    @Test func aTableHasItsColumns() throws {
        let columns = ["id", "text, or none", "data"]
        func row(_ rowid: Int64, _ values: [StoredValue.Content], error: String? = nil) -> ListedRow {
            var row = BrowsedRow(rowid: rowid, hasPlainTexts: true)
            row.columns = zip(columns, values).map { name, content in
                let value = StoredValue(content)
                return .init(name: name, value: StoredValue(content, size: value.bytes?.count ?? 0))
            }
            row.error = error
            return ListedRow(row, decoder: RowDecoder())
        }
        let rows = [
            row(1, [.integer(-1), .text(Array("a,\"b\"\n|".utf8)), .blob([0, 255])]),
            row(2, [.real(0.5), .null, .null]),
            row(3, [.integer(3)], error: "It is damaged."),
        ]
        func print(_ format: PrintFormat) throws -> (text: String, isPartial: Bool) {
            var printed: [UInt8] = []
            let printer = RowPrinter(format, isGrouped: false, columns: .alone(columns)) { printed += $0 }
            try printer.begin()
            for row in rows { try printer.print(row) }
            try printer.end()
            return (String(decoding: printed, as: UTF8.self), printer.isPartial)
        }
        let csv = try print(.csv)
        #expect(
            csv.text == "id,\"text, or none\",data\r\n-1,\"a,\"\"b\"\"\n|\",00ff\r\n0.5,,\r\n3,It is damaged.,\r\n")
        let markdown = try print(.markdown)
        #expect(
            markdown.text == """
                | id | text, or none | data |
                | --- | --- | --- |
                | -1 | a,"b"<br>\\| | 00ff |
                | 0.5 |  |  |
                | 3 | It is damaged. |  |

                """)
        #expect(csv.isPartial && markdown.isPartial)
        #expect(try print(.plain).text.contains("data=2 bytes"))
    }

    /// Edges and the rows of an index have the columns that JSON has, each as a field, also where one is missing or the row is large.
    @Test func edgesAndRowsOfAnIndexHaveTheirColumns() throws {
        func print(_ format: PrintFormat, _ columns: OwnColumns, _ rows: [BrowsedRow]) throws -> String {
            var printed: [UInt8] = []
            let printer = RowPrinter(format, isGrouped: false, columns: columns) { printed += $0 }
            try printer.begin()
            for row in rows { try printer.print(ListedRow(row, decoder: RowDecoder())) }
            try printer.end()
            return String(decoding: printed, as: UTF8.self)
        }
        func column(_ name: String, _ text: String) -> BrowsedRow.Column {
            .init(name: name, value: StoredValue(.text(Array(text.utf8)), size: text.utf8.count))
        }
        let names = ["name", "from", "to", "rule"]
        let edges = [
            BrowsedRow(
                rowid: 1, columns: zip(names, ["a, \"b\"", "c/1\n2", "c/|", "x, y"]).map(column), hasPlainTexts: true),
            BrowsedRow(rowid: 2, columns: [column("name", "n"), column("to", "c/3")], hasPlainTexts: true),
        ]
        #expect(
            try print(.csv, .ofEdges(names), edges)
                == "rowid,name,from,to,rule\r\n1,\"a, \"\"b\"\"\",\"c/1\n2\",c/|,\"x, y\"\r\n2,n,,c/3,\r\n")
        #expect(
            try print(.markdown, .ofEdges(names), edges) == """
                | rowid | name | from | to | rule |
                | --- | --- | --- | --- | --- |
                | 1 | a, "b" | c/1<br>2 | c/\\| | x, y |
                | 2 | n |  | c/3 |  |

                """)
        func row(_ rowid: Int64, _ object: String, _ columns: [BrowsedRow.Column], error: String? = nil) -> BrowsedRow {
            var row = BrowsedRow(rowid: rowid, columns: columns)
            row.address = .init(collection: StoredText("c"), key: StoredText("k"))
            row.object = StoredValue(.blob(Array(object.utf8)), size: object.utf8.count)
            row.error = error
            return row
        }
        let large = "\"" + String(repeating: "x", count: 1 << 20) + "\""
        let rows = [
            row(1, "{\"a\":1}", [column("genre", "an, \"x\""), column("price", "2")]),
            row(2, "1", [column("price", "3")]),
            row(3, large, []), row(4, "1", [column("genre", "g")], error: "It is damaged."),
        ]
        let head = "collection,key,rowid,size,metadata,genre,price,object\r\n"
        #expect(
            try print(.csv, .besideRow(["genre", "price"]), rows)
                == head + "c,k,1,7,,\"an, \"\"x\"\"\",2,\"{\"\"a\"\":1}\"\r\nc,k,2,1,,,3,1\r\n"
                + "c,k,3,\(large.utf8.count),,,,\"\"\(large)\"\"\r\nc,k,4,1,,g,,It is damaged.\r\n")
    }
}
