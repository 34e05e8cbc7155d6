import Foundation
import SQLiteBridge
import Testing

/// `--markdown`: tables of GitHub Flavored Markdown that show the text itself.
@Suite struct BrowseMarkdownTests {
    @Test func rowsColumnsAndCountsAreTables() throws {
        let books = originalFile("books").path
        let rows = try browse("--collection", "books", "--first", "2", "--markdown", books)
        #expect(rows.code == 0 && rows.lines.count == 4, "\(rows.text)")
        #expect(rows.lines[0] == "| collection | key | rowid | size | metadata | object |")
        #expect(rows.lines[1] == "| --- | --- | --- | --- | --- | --- |")
        #expect(rows.lines[2].hasPrefix("| books | book-000 | "))
        let columns = try browse(
            "--collection", "books", "--columns", "genre,price", "--sort", "price DESC", "--first", "1", "--markdown",
            books)
        #expect(columns.lines.count == 3 && columns.lines[0] == "| genre | price |", "\(columns.text)")
        let counts = try browse("--collection", "books", "--count-by", "genre", "--markdown", books)
        #expect(
            counts.lines.count == 7 && counts.lines[0] == "| genre | count |" && counts.lines[2] == "| fantasy | 108 |",
            "\(counts.text)")
        let list = try browse("--list", "--markdown", books)
        #expect(list.lines[0] == "| kind | name | group | count | detail | bytes |")
    }

    @Test func whatMeansSomethingInMarkdownIsEscaped() throws {
        try withCopy(of: "json") { file throws in
            let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
            try handle.execute(
                "UPDATE database2 SET data = json_object('text', 'a|b*c_d`e<f>[g]' || char(10) || '\\h' || char(27)) WHERE key = 'k000'"
            )
            let run = try browse("--collection", "c", "--first", "1", "--columns", "text", "--markdown", file.path)
            #expect(run.lines[2] == #"| a\|b\*c\_d\`e\<f\>\[g\]<br>\\h\\u{1b} |"#, "\(run.text)")
        }
    }

    @Test func itIsAFormatAmongOthers() throws {
        let run = try browse("--markdown", "--json", originalFile("books").path)
        #expect(run.code == 2 && run.errors.contains("--markdown"))
    }
}
