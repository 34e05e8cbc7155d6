import LiveTable
import ObjectDecoding
import Testing

@testable import Browser
@testable import FileReading

/// Columns chosen from a few rows.
@Suite struct ListColumnsTests {
    @Test func shortFieldsThatTellRowsApartAreChosen() {
        let columns = columns([
            #"{"id": "k0", "same": 1, "name": "Bob", "text": "A long text that would like to be wider than others", "on": true, "tags": [1]}"#,
            #"{"id": "k1", "same": 1, "name": "Eve", "text": "Another", "on": false, "tags": []}"#,
            #"{"id": "k2", "same": 1, "name": "Dan", "text": "And another", "on": true, "tags": [2]}"#,
        ])
        #expect(columns.shown == [.key, .field("name"), .field("text")])
        #expect(columns.all.contains(.field("tags")) && columns.all.contains(.field("on")))
    }

    @Test func theWidestColumnIsTheLast() {
        let columns = columns(
            (0..<5).map { #"{"text": "a text of more than twenty-four columns \#($0)", "name": "n\#($0)"}"# })
        #expect(columns.shown == [.key, .field("name"), .field("text")])
    }

    @Test func withoutFieldsTheValueIsShown() {
        #expect(columns(["just text", "more text", "and more"]).shown == [.key, .value])
        #expect(columns([]).shown == [.key, .value])
    }

    @Test func columnsFillTheWidthAndNeverMore() {
        let columns = columns(
            (0..<5).map { #"{"name": "name \#($0)", "number": \#($0 * 1000), "text": "text \#($0)"}"# })
        for width in 1...120 {
            let fitted = columns.fitted(width: width)
            #expect(fitted.reduce(0) { $0 + $1.width } + 2 * max(0, fitted.count - 1) <= max(width, 2))
            #expect(TextMeasure().width(of: columns.header(width: width, theme: Theme()).text) <= max(width, 2))
        }
        #expect(columns.fitted(width: 120).count == 4)
    }

    @Test func theLastColumnCannotBeTakenAway() {
        var columns = columns(["text"])
        for column in columns.shown { columns = columns.toggling(column) }
        #expect(columns.shown.count == 1)
    }

    /// Rows with the keys k0, k1, … and these bytes.
    private func columns(_ texts: [String]) -> ListColumns {
        let rows = texts.enumerated().map { index, text in
            var row = BrowsedRow(rowid: Int64(index))
            row.address = .init(collection: StoredText("c"), key: StoredText("k\(index)"))
            row.object = StoredValue(.blob(Array(text.utf8)), size: text.utf8.count)
            return RowTexts(row, RowDecoder())
        }
        return ListColumns(.collection(StoredText("c"), by: .key), sample: rows)
    }
}
