import Testing

@testable import TableModel

@Suite struct RowSearchTests {
    private let words = ["ant", "bee", "cat", "bat", "dog"]

    @Test func searchFindsTheNextRowThatMatches() {
        #expect(found("b", from: 2, .forward) == 3)
        #expect(found("b", from: 2, .backward) == 1)
        #expect(found("b", from: 3, .forward) == 3, "the first one counts")
    }

    @Test func searchWrapsAtTheEnd() {
        #expect(found("ant", from: 1, .forward) == 0)
        #expect(found("dog", from: 3, .backward) == 4)
        #expect(found("ant", from: 5, .forward) == 0, "behind the last row comes the first")
        #expect(found("dog", from: -1, .backward) == 4)
    }

    @Test func searchReadsEachRowOnce() {
        for direction in [RowSearch.Direction.forward, .backward] {
            var search = RowSearch(rows: 5, from: 2, direction)
            var seen: [Int] = []
            search.look(at: 100) { row in
                seen.append(row)
                return false
            }
            #expect(search.state == .notFound)
            #expect(seen == (direction == .forward ? [2, 3, 4, 0, 1] : [2, 1, 0, 4, 3]))
        }
    }

    @Test func searchContinuesAfterAPortion() {
        var search = RowSearch(rows: 1000, from: 990)
        search.look(at: 10) { $0 == 5 }
        #expect(search.state == .searching)
        #expect(search.looked == 10)
        search.look(at: 10) { $0 == 5 }
        #expect(search.state == .found(row: 5))
    }

    @Test func inNoRowsThereIsNothing() {
        #expect(RowSearch(rows: 0, from: 3).state == .notFound)
    }

    private func found(_ text: String, from start: Int, _ direction: RowSearch.Direction) -> Int? {
        var search = RowSearch(rows: words.count, from: start, direction)
        search.look(at: 100) { words[$0].hasPrefix(text) }
        if case .found(let row) = search.state { return row }
        return nil
    }
}
