import ListChanges
import Testing

@testable import FileReading

@Suite struct FoundOrderTests {
    @Test func aListOfWhatWasFoundGrowsAndKeepsItsPlaces() throws {
        try withFile("json") { path in
            let file = try BrowsedFile(path: path)
            let whole = try ListContent(
                .collection(StoredText("c"), by: .key), file.snapshot, catalog: try file.snapshot.catalog())
            let found = FoundOrder()
            let list = BrowsedList(whole.showing(ExactDictionary([("c", found)])))
            #expect(list.mappings.isEmpty && list.count(inGroup: "c") == RowCount(0, isComplete: false))
            found.append([7, 3])
            list.refresh()
            #expect(try list.rowid(at: RowPath(section: 0, row: 1)) == 3)
            found.append([100])
            found.end()
            list.refresh()
            #expect(list.count(inGroup: "c") == RowCount(3))
            #expect(try list.path(ofRowid: 100) == RowPath(section: 0, row: 2))
            #expect(try list.path(ofRowid: 8) == nil)
            #expect(try list.row(at: RowPath(section: 0, row: 2))?.rowid == 100)
        }
    }
}
