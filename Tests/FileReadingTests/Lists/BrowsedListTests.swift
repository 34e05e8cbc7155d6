import ListChanges
import Testing

@testable import FileReading

@Suite struct BrowsedListTests {
    @Test func rangesAndReversalAreThoseOfMappings() throws {
        try withFile("books") { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let list = BrowsedList(
                try ListContent(.view("order", groups: nil), snapshot, catalog: try snapshot.catalog()))
            let group = try #require(list.content.groups.first)
            let all = try rows(list, section: 0)
            #expect(all.count == list.count(inGroup: group).known)
            list.mappings.setRangeOptions(.fixed(length: 3, offset: 0, from: .end), forGroup: group)
            list.mappings.setIsReversed(true, forGroup: group)
            list.refresh()
            #expect(try rows(list, section: 0) == all.suffix(3).reversed())
            let path = RowPath(section: 0, row: 1)
            #expect(try list.path(of: list.rowKey(at: path)) == path)
            #expect(try list.row(at: path)?.address?.collection != nil)
        }
    }

    private func rows(_ list: BrowsedList, section: Int) throws -> [Int64] {
        try (0..<list.mappings.numberOfItems(inSection: section)).map {
            try #require(try list.rowid(at: RowPath(section: section, row: $0)))
        }
    }
}
